import { connect, type Socket } from 'node:net';
import { cleanUp, within } from './cleanup.ts';

export interface OpenRequest {
  socket: Socket;
  /** All that the service answered, once the connection is closed. */
  ended: Promise<string>;
}

interface OpenOptions {
  /** The address of this end. */
  from?: string;
  /** Leaves out the empty line after the head. */
  without_end?: boolean;
}

/** Sends the head of a request on a connection of its own, which stays open until the service or the test ends it. */
export async function openRequest(
  url: string,
  [line, ...headers]: readonly string[],
  { from = '127.0.0.1', without_end = false }: OpenOptions = {},
): Promise<OpenRequest> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress: from });
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  // A connection that the service cuts off may report an error first.
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  const head = [line, `Host: ${host}`, ...headers, ...(without_end ? [''] : ['', ''])].join('\r\n');
  cleanUp('an open request', () => socket.destroy());
  const written = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.write(head, () => resolve());
  });
  await within(written, 30_000, `the head of ${line} is written`);
  return { socket, ended };
}
