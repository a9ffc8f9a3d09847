import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Counts what this process reads, until the test ends, from connections that it opens to these ports. */
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

// Of undici, the client by which receivers are called.
const channel = 'undici:client:connected';
