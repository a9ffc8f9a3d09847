import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../process/clock.ts';

/** Most bodies arrive sooner, and their requests pay for no second look-up. */
export const freshMs = 1_000;

/**
 * Checks the caller again once the body has arrived, which may take minutes. Writes hold the rights in their transaction too. This
 * check is for what has none: reads that take a body, and stored answers of idempotency keys.
 */
export function checkAgain(
  app: FastifyInstance,
  clock: Pick<Clock, 'nowMs'>,
  check: (request: FastifyRequest) => Promise<void>,
): void {
  const begun = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', (request, _reply, done) => {
    begun.set(request, clock.nowMs());
    done();
  });
  app.addHook('preValidation', async (request) => {
    if (clock.nowMs() - begun.get(request)! >= freshMs) await check(request);
  });
}
