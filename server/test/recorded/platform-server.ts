import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { cleanUp } from '@majlis/testing/cleanup';
import { onceWithin } from '@majlis/testing/once-within';
import { createPlatformClient } from '../../src/platform/client.ts';

// A platform whose answers the test writes.

export const channel = {
  phone_number_id: '440000000000001',
  waba_id: '330000000000001',
  access_token: 'EAAsecret-token-of-the-channel',
};

export const error = (code: number, more = {}) => ({
  error: { message: `(#${code}) Text`, type: 'OAuthException', code, ...more },
});

export async function clientOf(listener: RequestListener, options: { timeout_ms?: number; connections?: number } = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');
  const client = createPlatformClient({
    base_url: `http://127.0.0.1:${portOf(server)}/v24.0`,
    timeout_ms: 5000,
    ...options,
  });
  cleanUp('the client', () => client.close());
  cleanUp('the platform', () => {
    server.closeAllConnections();
    server.close();
  });
  return client;
}

export function answer(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

export async function unusedPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');
  const port = portOf(server);
  server.close();
  await onceWithin(server, 'close');
  return port;
}

export function portOf(server: Pick<Server, 'address'>): number {
  return (server.address() as AddressInfo).port;
}
