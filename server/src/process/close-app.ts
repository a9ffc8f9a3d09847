import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';

/**
 * Closes the listener; each connection is closed when its request is answered. Those that are still open after
 * `patience_ms`, because a client sends its body for ever or a handler hangs, are cut off.
 */
export async function closeApp(app: FastifyInstance, patience_ms: number): Promise<void> {
  // Node closes those that are idle at the moment of the call, and waits for the others to close by themselves.
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const cut = setTimeout(() => app.server.closeAllConnections(), patience_ms);
  try {
    const closed = once(app.server, 'close');
    app.server.close();
    await closed;
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
