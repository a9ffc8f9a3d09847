import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { aiRoutes } from './ai/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { broadcastRoutes } from './broadcasts/routes.ts';
import { channelRoutes } from './channels/routes.ts';
import { contactHolders } from './contact-holders.ts';
import { erasureRoutes } from './contacts/erase/erasure-routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { documentationRoutes } from './documentation/routes.ts';
import type { RateLimiter } from './http/limit-rate/rate-limiter.ts';
import { hallway } from './http/pipeline.ts';
import { Refusal } from './http/reply/refusal.ts';
import { replyClientError } from './http/reply/reply-client-error.ts';
import { replyError } from './http/reply/reply-error.ts';
import { inboundRoutes } from './inbound/routes.ts';
import { mediaLinkRoutes } from './media/link-routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { messageRoutes } from './messages/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { probeRoutes, type Readiness } from './probes/routes.ts';
import type { Resources } from './process/resources.ts';
import { templateRoutes } from './templates/routes.ts';
import { userRoutes } from './users/routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoints/routes.ts';
import { workflowRoutes } from './workflows/routes.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

interface BuildApp {
  resources: Resources;
  limiter: RateLimiter;
  operatorToken: string;
  readiness: Readiness;
  /** Listens, and is closed, by itself. */
  server: Server;
}

/** Builds the HTTP app; never listens. One line for each room. */
export function buildApp({ resources, limiter, operatorToken, readiness, server }: BuildApp): FastifyInstance {
  const { config, log, metrics } = resources;
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Each request is measured; at `debug` each is logged too. Errors are logged where they are answered.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: config.bodyLimitBytes,
    // No limit of the router's own on an id: the 16 KiB that Node takes of a head are one, and any text names nothing.
    routerOptions: { maxParamLength: 16_384 },
    // A path whose escapes cannot be read names nothing; it takes the way of every unknown path.
    rewriteUrl: ({ url }) => (isReadable(url!) ? url! : '/v1/unreadable-path'),
    clientErrorHandler: replyClientError,
    serverFactory: () => server,
    // What still arrives while the listener closes is served.
    return503OnClosing: false,
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
  });
  // A client that knows does not write its next request on a connection that is about to be closed.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.draining) reply.header('Connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { config: route } = request.routeOptions;
    const operation = route.operation?.id ?? route.measured_as ?? 'other';
    metrics.requests.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    request.log.debug(
      { method: request.method, operation, status: reply.statusCode, ms: reply.elapsedTime },
      'request',
    );
  });
  app.setErrorHandler(replyError);
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found');
  });

  app.register(
    (v1) =>
      hallway(v1, {
        resources,
        limiter,
        rooms(serve) {
          workspaceRoutes(serve, resources);
          userRoutes(serve, resources);
          channelRoutes(serve, resources);
          mediaRoutes(serve, resources);
          templateRoutes(serve, resources);
          conversationRoutes(serve, resources);
          contactRoutes(serve, resources);
          erasureRoutes(serve, resources, contactHolders);
          messageRoutes(serve, resources);
          broadcastRoutes(serve, resources);
          workflowRoutes(serve, resources);
          webhookEndpointRoutes(serve, resources);
          aiRoutes(serve, resources);
          analyticsRoutes(serve, resources);
        },
      }),
    { prefix: '/v1' },
  );
  app.register((door) => inboundRoutes(door, resources), { prefix: '/platform' });
  app.register((door) => mediaLinkRoutes(door, resources), { prefix: '/platform' });
  app.register((door) => operatorRoutes(door, resources, operatorToken), { prefix: '/operator' });
  app.register((door) => documentationRoutes(door, config));
  app.register((door) => probeRoutes(door, resources, readiness));
  return app;
}

function isReadable(url: string): boolean {
  try {
    decodeURI(url.split('?')[0]!);
    return true;
  } catch {
    return false;
  }
}
