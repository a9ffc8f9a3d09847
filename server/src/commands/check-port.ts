import { once } from 'node:events';
import { createServer } from 'node:net';
import { CannotRun } from '../process/cannot-run.ts';
import { urlOf } from '../process/config.ts';

export interface Listener {
  host: string;
  port: number;
  /** The setting that holds the port. */
  setting: 'PORT' | 'SIMULATOR_PORT';
}

/** Checks that a port is free before anything else starts. */
export async function checkPort(listener: Listener): Promise<void> {
  if (listener.port === 0) return;
  const server = createServer();
  server.listen({ host: listener.host, port: listener.port });
  await once(server, 'listening').catch(async (error) => {
    throw await explainListen(error, listener);
  });
  server.close();
  await once(server, 'close');
}

/** Turns a listen error into one line that names the setting. Resolves to any other error unchanged. */
export async function explainListen(error: unknown, { host, port, setting }: Listener): Promise<unknown> {
  const { syscall, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  if (code === 'EADDRINUSE') {
    const other = await describeProgram(urlOf(host, port));
    return new CannotRun(`${setting} ${port} is taken by ${other} on ${host}: end it, or choose another port`);
  }
  if (code === 'EACCES') return new CannotRun(`${setting} ${port} may not be used: ports below 1024 need privileges`);
  const name = setting === 'PORT' ? 'HOST' : 'SIMULATOR_HOST';
  return new CannotRun(`${name} ${host} is not an address of this machine (${code})`);
}

/** Asks the program on a port whether it is a Majlis, which a user may have forgotten in another terminal. */
async function describeProgram(url: string): Promise<string> {
  const read = (path: string) =>
    fetch(url + path, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.text(),
      () => '',
    );
  const [openapi, page] = await Promise.all([read('/openapi.json'), read('/')]);
  if (/"title": ?"Majlis"/.test(openapi)) return 'another Majlis';
  if (page.includes('<title>Majlis simulator</title>')) return "another Majlis's simulator";
  return 'another program';
}
