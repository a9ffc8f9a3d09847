import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Counts what goes over the connections of these servers from now on, both ways. */
export function countBytes(servers: readonly Server[]): () => number {
  const open = new Set<Socket>();
  let ofClosed = 0;
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        ofClosed += bytesOf(socket);
      });
    });
  }
  return () => ofClosed + [...open].reduce((sum, socket) => sum + bytesOf(socket), 0);
}

export function bytesOf({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}
