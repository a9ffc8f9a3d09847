import type { FastifyReply } from 'fastify';
import type { ConnectionFault } from '../scripts.ts';
import type { Dict } from '../world/message.ts';
import type { World } from '../world/world.ts';

/** Answers a send like a broken connection or an overloaded front end. */
export async function playFault(
  world: World,
  reply: FastifyReply,
  fault: ConnectionFault,
  answer: Dict,
): Promise<unknown> {
  switch (fault) {
    case 'status_500':
    case 'status_502':
    case 'status_503': {
      const status = Number(fault.slice('status_'.length));
      reply.code(status).type('text/html');
      return `<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong. (${status})</body></html>`;
    }
    case 'no_answer':
      // The connection stays open until the caller gives up or the simulator ends.
      reply.hijack();
      return undefined;
    case 'reset':
      reply.hijack();
      reply.raw.socket?.resetAndDestroy();
      return undefined;
    case 'slow':
      await new Promise<void>((resolve) => world.timers.after(world.switches.slow_answer_ms, resolve));
      return answer;
  }
}
