import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../reply/refusal.ts';

// A sender of less than 1 KB/s is gone, or occupies the connection on purpose.
const stallMs = 15_000;
const stallBytes = 15_000;
const lookEveryMs = 500;

/**
 * Bounds the arrival of a body. If it comes too slowly or takes too long in all, `late` rejects with a refusal, and the file stream
 * fails with the same refusal (hazard H119).
 */
export function watchUpload({ raw }: FastifyRequest, timeout_ms: number) {
  const begun = performance.now();
  let last = { bytes: raw.socket.bytesRead, at: begun };
  let file: Readable | undefined;
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {});

  const timer = setInterval(() => {
    const now = performance.now();
    const bytes = raw.socket.bytesRead;
    if (bytes >= last.bytes + stallBytes || raw.complete) last = { bytes, at: now };
    const took = now - begun > timeout_ms && !raw.complete;
    if (!took && now - last.at <= stallMs) return;
    clearInterval(timer);
    const detail = took ? 'The file took too long to arrive.' : 'The file arrived too slowly.';
    const refusal = new Refusal('unprocessable_content', { detail });
    reject(refusal);
    file?.destroy(refusal);
  }, lookEveryMs);

  return {
    late,
    follow(next: Readable): void {
      file = next;
    },
    stop: () => clearInterval(timer),
  };
}
