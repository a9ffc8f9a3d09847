import { failOpen, type Log } from './fail-open.ts';
import { inMemory } from './in-memory.ts';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * The limits are per workspace across all its keys: several processes can only hold them by counting in one Redis. Its
 * client is loaded where it is used; it would cost every other process 6 MB.
 */
export async function createRateLimiter({
  redis_url,
  log,
}: {
  redis_url?: string | undefined;
  log: Log;
}): Promise<RateLimiter> {
  if (!redis_url) return inMemory();
  const { inRedis } = await import('./in-redis.ts');
  return failOpen(inRedis(redis_url), inMemory(), log);
}
