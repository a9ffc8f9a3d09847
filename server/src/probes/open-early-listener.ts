import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Refusal } from '../http/reply/refusal.ts';

export interface EarlyListener {
  /** The server, which listens already. */
  server: Server;
  /** From the next request on, also on open connections, the app answers. */
  handOver(app: RequestListener): void;
}

/**
 * Listens before the app can serve, and answers only the probes. Without it, a supervisor would get no answer during a long
 * migration and would kill the process. Rejects if it cannot listen.
 */
export async function openEarlyListener({ host, port }: { host: string; port: number }): Promise<EarlyListener> {
  const server = createServer({ keepAliveTimeout: 75_000 }, answerEarly);
  // Uploads may take long. `watchUpload` bounds them.
  server.requestTimeout = 0;
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    server,
    handOver(app) {
      server.off('request', answerEarly);
      server.on('request', app);
    },
  };
}

const answerEarly: RequestListener = (request, response) => {
  const path = request.url?.split('?')[0];
  response.setHeader('X-Request-Id', randomUUID());
  const answer = (status: number, body: unknown) =>
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  if (path === '/healthz') return answer(200, { status: 'alive' });
  if (path === '/readyz') return answer(503, { status: 'starting' });
  response.setHeader('Retry-After', '1');
  const { status, body } = new Refusal('service_unavailable', { detail: 'The service is starting.' });
  return answer(status, body);
};
