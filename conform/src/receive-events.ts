import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrival {
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
}

export interface Listener {
  port: number;
  arrivals: Arrival[];
  close(): Promise<void>;
}

/** Takes whatever is posted, and answers 204. */
export async function receiveEvents(port: number): Promise<Listener> {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    arrivals.push({ headers: request.headers, body, at: Date.now() });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What is wrong with the signature of a request; undefined where it is genuine. */
export function signatureFault({ headers, body, at }: Arrival, secret: string): string | undefined {
  const header = String(headers['service-signature'] ?? '');
  const parts = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header);
  if (!parts) return `Service-Signature is ${JSON.stringify(header)}`;
  const [, t, v1] = parts;
  if (Math.abs(at / 1000 - Number(t)) > 300) return `t=${t} is more than five minutes from ${Math.round(at / 1000)}`;
  const digest = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
  return timingSafeEqual(digest, Buffer.from(v1!, 'hex')) ? undefined : 'v1 is another digest';
}
