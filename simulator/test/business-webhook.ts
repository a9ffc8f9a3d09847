import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signWebhook } from '../src/webhooks/sign-webhook.ts';

export type Received = { raw: string; headers: IncomingHttpHeaders; body: Envelope; verified: boolean };

type Item = Record<string, unknown> & { id?: string; status?: string; errors?: { code: number }[] };
export type Value = Record<string, unknown> & {
  statuses?: Item[];
  messages?: Item[];
  contacts?: Record<string, unknown>[];
};
export type Envelope = {
  object: string;
  entry: { id: string; time?: number; changes: { field: string; value: Value }[] }[];
};

/** A business's webhook endpoint that keeps what it gets. */
export async function startBusinessWebhook(secret: string, verifyToken = 'verify') {
  const received: Received[] = [];
  const answers: number[] = [];
  const challenges: URLSearchParams[] = [];

  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://receiver');
    if (request.method === 'GET') {
      challenges.push(url.searchParams);
      const right = url.searchParams.get('hub.verify_token') === verifyToken;
      response.writeHead(right ? 200 : 403).end(right ? url.searchParams.get('hub.challenge') : '');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('latin1');
      const verified = request.headers['x-hub-signature-256'] === signWebhook(raw, secret);
      received.push({ raw, headers: request.headers, body: JSON.parse(raw), verified });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const values = () =>
    received.flatMap((one) => one.body.entry.flatMap((entry) => entry.changes.map((change) => change.value)));
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    challenges,
    /** The status codes of the next answers; then 200. */
    answers,
    values,
    /** The values of one field. */
    changes: (field: string) =>
      received
        .flatMap((one) => one.body.entry.flatMap((entry) => entry.changes))
        .flatMap((change) => (change.field === field ? [change.value] : [])),
    statuses: () => values().flatMap((value) => value.statuses ?? []),
    messages: () => values().flatMap((value) => value.messages ?? []),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export type BusinessWebhook = Awaited<ReturnType<typeof startBusinessWebhook>>;
