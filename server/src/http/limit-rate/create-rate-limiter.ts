import { failOpen, type Log } from './fail-open.ts';
import { inMemory } from './in-memory.ts';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * Limits hold per workspace across all its keys, so several processes count in one Redis (hazard H63). The Redis client is
 * loaded only if it is used, since it takes 6 MB.
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
