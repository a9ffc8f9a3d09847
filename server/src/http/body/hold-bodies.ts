import type { FastifyInstance, FastifyRequest } from 'fastify';
import { byteBudget, type ReserveBytes } from '../../concurrency/byte-budget.ts';
import type { Config } from '../../process/config.ts';
import { onceClosed } from '../reply/once-closed.ts';
import { Refusal } from '../reply/refusal.ts';
import { replyClientError } from '../reply/reply-client-error.ts';

// A connection has buffers of this size in any case.
const freeBytes = 16_384;
// As long as the wait for a connection of the pool.
const patienceMs = 3_000;
const refuseBody = () => {
  const detail = 'Too many large requests are under way.';
  return new Refusal('service_unavailable', { detail, headers: { 'Retry-After': '1' } });
};

/** Bounds the bytes of the bodies in flight. One sender may hold a quarter of them. */
export function createBodyBudget({ bodiesInFlightBytes }: Pick<Config, 'bodiesInFlightBytes'>): ReserveBytes {
  return byteBudget({
    in_all: bodiesInFlightBytes,
    per_key: bodiesInFlightBytes / 4,
    patience: { ms: patienceMs, error: refuseBody },
  });
}

interface HoldBodies {
  reserve: ReserveBytes;
  /** Whose share a body uses. */
  ownerOf: (request: FastifyRequest) => string;
  timeout_ms: number;
}

/**
 * Reserves the bytes of a body, unless it is small, before it is read, until the request is answered: what is built from a body lives as long.
 * A chunked body reserves the limit of its route. A body that takes too long to arrive is refused with 408 (hazard H119).
 */
export function holdBodies(app: FastifyInstance, { reserve, ownerOf, timeout_ms }: HoldBodies): void {
  app.addHook('preParsing', async (request, reply) => {
    const bytes = bytesOf(request);
    // Fastify refuses what is above the limit by its length alone.
    if (bytes === 0 || bytes > request.routeOptions.bodyLimit) return;
    const release = bytes > freeBytes ? await reserve(ownerOf(request), bytes) : () => {};
    const late = setTimeout(() => {
      if (request.raw.complete === false) replyClientError(lateError, request.raw.socket);
    }, timeout_ms);
    request.raw.once('end', () => clearTimeout(late));
    // The client may have left while it waited for room.
    onceClosed(reply.raw, () => {
      clearTimeout(late);
      release();
    });
  });
}

const lateError = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** 0 without a body, and for a form, which is not held in memory. */
function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  if (routeOptions.config.operation?.body_content_type) return 0;
  if (headers['transfer-encoding'] !== undefined) return routeOptions.bodyLimit;
  return Number(headers['content-length'] ?? 0);
}
