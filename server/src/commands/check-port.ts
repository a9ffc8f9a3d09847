import { once } from 'node:events';
import { createServer } from 'node:net';
import { CannotRun } from '../process/cannot-run.ts';

export interface Listener {
  host: string;
  port: number;
  /** The setting that holds the port. */
  setting: string;
}

/** Checks that a port is free before anything else starts. */
export async function checkPort(listener: Listener): Promise<void> {
  if (listener.port === 0) return;
  const server = createServer();
  server.listen({ host: listener.host, port: listener.port });
  await once(server, 'listening').catch((error) => {
    throw explainListen(error, listener);
  });
  server.close();
  await once(server, 'close');
}

/** Turns a listen error into one line that names the setting. Returns any other error unchanged. */
export function explainListen(error: unknown, { host, port, setting }: Listener): unknown {
  const { syscall, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  if (code === 'EADDRINUSE') return new CannotRun(`${setting} ${port} is taken by another program on ${host}`);
  if (code === 'EACCES') return new CannotRun(`${setting} ${port} may not be used: ports below 1024 need privileges`);
  return new CannotRun(`HOST ${host} is not an address of this machine (${code})`);
}
