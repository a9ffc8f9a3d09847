import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Simulator } from '@majlis/simulator';
import { listen } from '../listen.ts';
import { createFaultEnvironment, type FaultEnvironment, type FaultEnvironmentOptions } from './fault-environment.ts';

/** A proxy between the service and the simulator with hooks before and after a send. */
export interface InterposedPlatform {
  api_url: string;
  /**
   * Called when the simulator has accepted a send and the service has no answer yet. The answer waits for the promise.
   * A result of `reset` or `bad gateway` replaces the answer.
   */
  onAccepted: ((to: string) => unknown) | undefined;
  /** Called before the simulator gets a send. */
  onCalled: (() => unknown) | undefined;
}

function readRecipient(chunks: readonly Buffer[]): string {
  return (JSON.parse(Buffer.concat(chunks).toString()) as { to?: string }).to ?? '';
}

/** Forwards every request and every answer. */
export async function startInterposedPlatform(simulator: Simulator): Promise<InterposedPlatform> {
  const server = createServer((request, response) => void pass(request, response));
  const { pathname } = new URL(simulator.api_url);
  const platform: InterposedPlatform = {
    api_url: (await listen(server)) + pathname,
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

  return platform;
}

/** A fault environment whose service reaches the simulator through an interposed platform. */
export async function createInterposedEnvironment(
  options: FaultEnvironmentOptions = {},
): Promise<FaultEnvironment & { platform: InterposedPlatform }> {
  let platform: InterposedPlatform | undefined;
  const environment = await createFaultEnvironment({
    ...options,
    async platform(simulator) {
      platform = await startInterposedPlatform(simulator);
      return platform.api_url;
    },
  });
  return { ...environment, platform: platform! };
}
