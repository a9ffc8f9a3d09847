import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Admission, type Check, describeAdmission, type RateLimiter } from './rate-limiter.ts';

/**
 * Counts in Redis for all processes: an exact log of admission times per key, on Redis's clock, by one script in one round
 * trip. Rejects if Redis does not answer in time.
 */
export function inRedis(redis_url: string, answer_within_ms = 250): RateLimiter {
  const redis = new Redis(redis_url, {
    lazyConnect: true,
    // No command waits for Redis to return: the process's own limiter counts instead.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answer_within_ms,
    connectTimeout: 2000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1000),
  });
  // Each command reports its failure. Without a listener, ioredis would write to the console.
  redis.on('error', () => undefined);
  let first_connection: Promise<unknown> | undefined = redis
    .connect()
    .catch(() => undefined)
    .finally(() => {
      first_connection = undefined;
    });

  return {
    admit: (checks) => ask(checks, 'count'),
    peek: (checks) => ask(checks, 'peek'),
    giveBack: (checks, { at }) => ask(checks, at),
    close: async () => redis.disconnect(),
  };

  /** A number is the time of an admission that is taken back from the first check. */
  async function ask(checks: Check[], what: 'count' | 'peek' | number): Promise<Admission> {
    if (first_connection) await Promise.race([first_connection, after(answer_within_ms, undefined, { ref: false })]);
    const keys = checks.map(({ key }) => redisKey(key));
    const limits = checks.flatMap(({ limit, window_ms }) => [limit, window_ms]);
    const args = [keys.length, ...keys, what, ...limits] as const;
    // biome-ignore lint/plugin: two limits at most
    const answer = await redis.evalsha(script_hash, ...args).catch((error: Error) => {
      // biome-ignore lint/plugin: two limits at most
      if (error.message.startsWith('NOSCRIPT')) return redis.eval(script, ...args);
      // A silent connection is closed, so that commands do not pile up on it.
      if (redis.status === 'ready') redis.disconnect(true);
      throw error;
    });
    const [admitted, at, ...states] = answer as [number, string, ...[number, number][]];
    return describeAdmission(
      checks,
      states.map(([count, back_in_us]) => ({ count, back_in_ms: back_in_us / 1000 })),
      { admitted: admitted === 1, at: Number(at) },
    );
  }
}

/** `{owner}` is a hash tag: one script needs all limits of an owner on one node of a cluster. */
function redisKey(key: string): string {
  const [owner, ...limit] = key.split(':');
  return `majlis:rate:{${owner}}:${limit.join(':')}`;
}

// Times are microseconds, formatted with %.0f because Lua shortens large numbers to 14 digits. If the newest time of a list
// lies more than a window ahead, the clock was set back; such a list is dropped, since it would refuse for that long.
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local admitted = 1
local mark = string.format('%.0f', now)
if ARGV[1] ~= 'count' and ARGV[1] ~= 'peek' then redis.call('LREM', KEYS[1], -1, ARGV[1]) end
for i, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i]), ARGV[2 * i + 1] * 1000
  local newest = tonumber(redis.call('LINDEX', key, -1))
  if newest and newest > now + window then redis.call('DEL', key) end
  local oldest = tonumber(redis.call('LINDEX', key, 0))
  while oldest and oldest + window <= now do
    redis.call('LPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, 0))
  end
  if redis.call('LLEN', key) >= limit then admitted = 0 end
end
local answer = { admitted, mark }
for i, key in ipairs(KEYS) do
  local limit, window_ms = tonumber(ARGV[2 * i]), ARGV[2 * i + 1]
  if admitted == 1 and ARGV[1] == 'count' then
    redis.call('RPUSH', key, mark)
    redis.call('PEXPIRE', key, window_ms)
  end
  local count = redis.call('LLEN', key)
  local next_back = tonumber(redis.call('LINDEX', key, math.max(0, count - limit)))
  answer[i + 2] = { count, next_back and next_back + window_ms * 1000 - now or 0 }
end
return answer`;

const script_hash = createHash('sha1').update(script).digest('hex');
