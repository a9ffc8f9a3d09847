import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { clientAddress } from './client-address.ts';

interface BoundConnections {
  per_address: number;
  /** A trusted proxy connects for all its clients, and bounds them itself. */
  isTrusted: (address: string) => boolean;
  log: Pick<Logger, 'warn'>;
}

const logEveryMs = 10_000;

/** Closes each new connection of an address that has `per_address` open ones already (hazard H119). */
export function boundConnections(server: Server, { per_address, isTrusted, log }: BoundConnections): void {
  const open = new Map<string, number>();
  let logged_at = Number.NEGATIVE_INFINITY;

  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isTrusted(remoteAddress)) return;
    const address = clientAddress(remoteAddress);
    const count = open.get(address) ?? 0;
    if (count >= per_address) {
      socket.destroy();
      return warn(address);
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });

  function warn(address: string): void {
    const now = performance.now();
    if (now < logged_at + logEveryMs) return;
    logged_at = now;
    log.warn({ address, per_address }, 'connections are refused: their address has as many as CONNECTIONS_PER_ADDRESS');
  }
}
