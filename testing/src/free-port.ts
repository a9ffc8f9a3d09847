import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { onceWithin } from './once-within.ts';

/**
 * A port for a program that must be told its own. It lies below the ephemeral range, so that no connection takes it
 * while the program is down, and belongs to this process until it ends: no other test draws it.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = randomInt(20_000, 32_000);
    if (!(await reserve(port))) continue;
    const server = createServer();
    if (!(await listens(server, { port }))) continue;
    await onceWithin(server.close(), 'close');
    return port;
  }
  throw new Error('no port is free');
}

/** Linux ends an abstract socket with its process. Other systems have none, and go without the reservation. */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const reservation = createServer().unref();
  return listens(reservation, { path: `\0majlis-test-port-${port}` });
}

async function listens(server: Server, at: { port: number } | { path: string }): Promise<boolean> {
  const listening = once(server.listen(at), 'listening');
  return listening.then(
    () => true,
    () => false,
  );
}
