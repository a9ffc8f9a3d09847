import type { AddressInfo, Server } from 'node:net';
import { cleanUp } from './cleanup.ts';

/** Starts a server on a free port of this machine and answers its URL. The server ends after the test file. */
export async function listen(server: Server & { closeAllConnections?(): void }): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp('a server', () => {
    server.close();
    server.closeAllConnections?.();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
