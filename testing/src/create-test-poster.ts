import assert from 'node:assert/strict';
import {
  createGuardedPoster,
  type GuardedPosterOptions,
  type PostLimits,
  type PostOutcome,
} from '../../server/src/outbound/post-guarded.ts';
import { cleanUp } from './cleanup.ts';

export const longLimits = { timeout_ms: 20_000, max_answer_bytes: 64 * 1_024 };
export const shortLimits = { ...longLimits, timeout_ms: 300 };
export const pathSecret = 'secret-in-the-path';

/** Posts to a local port. The URL holds a secret, and no outcome may contain it. */
export function createTestPoster(options: GuardedPosterOptions = {}) {
  const poster = createGuardedPoster(options);
  cleanUp('a poster', () => poster.close());
  return async (
    port: number,
    limits: PostLimits = longLimits,
    request: Partial<PostRequest> = {},
  ): Promise<PostOutcome> => {
    const { headers = { 'content-type': 'application/json' }, body = '{}', base = 'http://127.0.0.1' } = request;
    const url = `${base}:${port}/${pathSecret}?token=${pathSecret}`;
    const outcome = await poster.post({ url, allow_private: true }, headers, body, limits);
    assert.ok(!JSON.stringify(outcome).includes(pathSecret));
    assert.ok(Number.isInteger(outcome.duration_ms));
    return outcome;
  };
}

interface PostRequest {
  headers: Record<string, string>;
  body: string;
  base: string;
}

export const failedOutcome = (reason: string) => ({ type: 'failed', reason });
export const answeredOutcome = (status: number) => ({ type: 'answered', status });

export function withoutDuration({ duration_ms, ...outcome }: PostOutcome) {
  return outcome;
}
