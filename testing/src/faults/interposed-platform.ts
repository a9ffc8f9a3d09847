import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Simulator } from '@majlis/simulator';

/** Stands between the service and the simulator, at the moments that matter. */
export interface InterposedPlatform {
  api_url: string;
  /**
   * Called when the simulator has taken a send and nobody knows yet; what it waits for holds the answer back, and
   * `reset` or `bad gateway` is what the service gets in its place.
   */
  onAccepted: ((to: string) => unknown) | undefined;
  /** Called before the simulator hears of a send. */
  onCalled: (() => unknown) | undefined;
}

function readRecipient(chunks: readonly Buffer[]): string {
  return (JSON.parse(Buffer.concat(chunks).toString()) as { to?: string }).to ?? '';
}

/** Passes every call on and every answer back. */
export async function startInterposedPlatform(simulator: Simulator): Promise<InterposedPlatform> {
  const server = createServer((request, response) => void pass(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { pathname } = new URL(simulator.api_url);
  const platform: InterposedPlatform = {
    api_url: `http://127.0.0.1:${port}${pathname}`,
    onAccepted: undefined,
    onCalled: undefined,
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isSend = request.method === 'POST' && request.url!.endsWith('/messages');
    if (isSend) await platform.onCalled?.();
    const answer = await fetch(simulator.url + request.url, {
      method: request.method!,
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
      ...(request.method === 'POST' && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const fate = isSend && answer.status === 200 ? await platform.onAccepted?.(readRecipient(chunks)) : undefined;
    if (fate === 'reset') return void request.socket.resetAndDestroy();
    if (fate === 'bad gateway') return void response.writeHead(502).end('<html>Bad gateway</html>');
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  }

  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return platform;
}
