import type { IncomingMessage } from 'node:http';

// A client that is cut off while it writes would not see the answer.
const drainMs = 10_000;

/** After an answer, the rest of the request's body is discarded for a limited time (hazard H119). */
export function endUnreadBody(raw: IncomingMessage): void {
  // A request inside this process has no connection, and `complete` is undefined.
  if (raw.complete !== false || raw.destroyed) return;
  raw.resume();
  const late = setTimeout(() => raw.socket.destroy(), drainMs).unref();
  // At its end, the connection can serve another request.
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(late));
}
