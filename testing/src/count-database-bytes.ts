import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { cleanUp } from './cleanup.ts';

const channel = 'net.client.socket';

/**
 * Counts the bytes that this process reads from connections made from now on, except those to these origins. With a service that
 * starts after this call in the same process, they are what its database sends.
 */
export function countDatabaseBytes(): (...origins: string[]) => number {
  const sockets = new Set<Socket>();
  const add = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
  subscribe(channel, add);
  cleanUp('the count of bytes', () => unsubscribe(channel, add));
  return (...origins) => {
    const ports = origins.map((origin) => Number(new URL(origin).port));
    return [...sockets].reduce((sum, { remotePort, bytesRead }) => {
      return ports.includes(remotePort ?? 0) ? sum : sum + bytesRead;
    }, 0);
  };
}
