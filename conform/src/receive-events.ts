import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@majlis/contract';

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
}

export interface EventReceiver {
  port: number;
  requests: ReceivedRequest[];
  close(): Promise<void>;
}

/** Listens on a port, records every request and answers 204. */
export async function receiveEvents(port: number): Promise<EventReceiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    requests.push({ headers: request.headers, body, at: Date.now() });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The fault of the signature of a request; undefined if the signature is valid. */
export function findSignatureFault({ headers, body, at }: ReceivedRequest, secret: string): string | undefined {
  const header = String(headers['service-signature'] ?? '');
  const parts = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header);
  if (!parts) return `Service-Signature is ${JSON.stringify(header)}`;
  const [, t, v1] = parts;
  if (Math.abs(at / 1000 - Number(t)) > limits.webhook.signature_tolerance_seconds)
    return `t=${t} is more than five minutes from ${Math.round(at / 1000)}`;
  const digest = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  return timingSafeEqual(digest, Buffer.from(v1!, 'hex')) ? undefined : 'v1 is a different digest';
}
