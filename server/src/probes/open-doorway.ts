import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Refusal } from '../http/reply/refusal.ts';

export interface Doorway {
  /** It listens already. */
  server: Server;
  /** From the next request on, on every connection that is open, the app answers and not the doorway. */
  handOver(app: RequestListener): void;
}

/**
 * Listens before there is anything to serve: a supervisor that hears nothing while the database is migrated would kill
 * what migrates it. Until the app stands, only the probes have something to say. Rejects where it cannot listen.
 */
export async function openDoorway({ host, port }: { host: string; port: number }): Promise<Doorway> {
  const server = createServer({ keepAliveTimeout: 75_000 }, answerEarly);
  // An upload may take its time: `watchUpload` bounds it.
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
