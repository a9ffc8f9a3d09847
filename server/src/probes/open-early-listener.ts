import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';
import { boundConnections } from '../http/connections/bound-connections.ts';
import { inNetworks } from '../http/connections/client-address.ts';
import { endStalledAnswers } from '../http/connections/end-stalled-answers.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Config } from '../process/config.ts';

export interface EarlyListener {
  /** The server, which listens already. */
  server: Server;
  /** From the next request on, also on open connections, the app answers. */
  handOver(app: RequestListener): void;
}

const lateMs = 60_000;

/**
 * Listens before the app can serve, and answers only the probes. Without it, a supervisor would get no answer during a long
 * migration and would kill the process. Rejects if it cannot listen.
 */
export async function openEarlyListener(config: Config, log: Logger): Promise<EarlyListener> {
  const { host, port, requestTimeoutSeconds, uploadTimeoutSeconds } = config;
  const server = createServer(
    {
      keepAliveTimeout: 75_000,
      headersTimeout: requestTimeoutSeconds * 1000,
      // Each kind of body has a bound of its own. This one is for bodies that are not read.
      requestTimeout: Math.max(requestTimeoutSeconds, uploadTimeoutSeconds) * 1000 + lateMs,
      connectionsCheckingInterval: 1_000,
    },
    answerEarly,
  );
  boundConnections(server, {
    per_address: config.connectionsPerAddress,
    isTrusted: inNetworks(config.trustedProxies),
    log,
  });
  endStalledAnswers(server, config.answerStallSeconds * 1000);
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
