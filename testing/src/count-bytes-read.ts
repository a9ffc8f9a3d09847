import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { cleanUp } from './cleanup.ts';

/** Counts the bytes that this process reads from connections to these ports, until the test ends. */
export function countBytesRead(...ports: number[]): () => number {
  const sockets = new Set<Socket>();
  const add = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (ports.includes(socket.remotePort!)) sockets.add(socket);
  };
  subscribe(channel, add);
  cleanUp('the count of bytes', () => unsubscribe(channel, add));
  return () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
}

// The diagnostics channel of undici, the client that calls receivers.
const channel = 'undici:client:connected';
