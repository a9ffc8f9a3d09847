import type { ServerResponse } from 'node:http';

/** Calls `action` when the response ends or its client leaves, and at once if that has happened: `close` comes only once. */
export function onceClosed(response: ServerResponse, action: () => void): void {
  if (response.closed || response.destroyed) action();
  else response.once('close', action);
}
