import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Counts the bytes that this process reads from connections to these ports, until the test ends. */
export function countBytesRead(t: Pick<TestContext, 'after'>, ...ports: number[]): () => number {
  const sockets = new Set<Socket>();
  const add = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (ports.includes(socket.remotePort!)) sockets.add(socket);
  };
  subscribe(channel, add);
  t.after(() => unsubscribe(channel, add));
  return () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
}

// The diagnostics channel of undici, the client that calls receivers.
const channel = 'undici:client:connected';
