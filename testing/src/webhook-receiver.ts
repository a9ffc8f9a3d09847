import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AnyJson } from './json.ts';
import { listen } from './listen.ts';

/** One request as it came. */
export interface WebhookRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw bytes. */
  body: Buffer;
  event: AnyJson;
  signature: string;
  /** When it came, in milliseconds of real time. */
  at: number;
}

export interface WebhookReceiver {
  url: string;
  arrivals: WebhookRequest[];
  /** How requests are answered from now on; a status alone is an answer. At first every one is 200. */
  answer(play: number | ((arrival: WebhookRequest, response: ServerResponse) => unknown)): void;
  close(): Promise<void>;
}

/** A webhook receiver of the test's own; it is ended after the test file. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  let play: (arrival: WebhookRequest, response: ServerResponse) => unknown = (_, response) => response.end();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    const arrival: WebhookRequest = {
      path: request.url!,
      headers: request.headers,
      body,
      event: JSON.parse(body.toString()),
      signature: String(request.headers['service-signature']),
      at: performance.now(),
    };
    receiver.arrivals.push(arrival);
    await play(arrival, response);
  });
  const receiver: WebhookReceiver = {
    url: `${await listen(server)}/events`,
    arrivals: [],
    answer(next) {
      play = typeof next === 'function' ? next : (_, response) => response.writeHead(next).end();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
