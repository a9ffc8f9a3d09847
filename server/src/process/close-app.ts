import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';

/**
 * Closes the listener, and each connection after its request is answered. After `patience_ms` it cuts off the connections
 * that are still open, for instance of a client that never ends its body.
 */
export async function closeApp(app: FastifyInstance, patience_ms: number): Promise<void> {
  // `close` ends only the connections that are idle at that moment, so later idle ones are closed here.
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
