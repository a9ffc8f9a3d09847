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
import { servePipeline } from './http/pipeline.ts';
import { Refusal } from './http/reply/refusal.ts';
import { replyClientError } from './http/reply/reply-client-error.ts';
import { replyError } from './http/reply/reply-error.ts';
import { inboundRoutes } from './inbound/routes.ts';
import { mediaLinkRoutes } from './media/link.ts';
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
  /** The listening server. Its owner closes it. */
  server: Server;
}

/** Builds the HTTP app, with one line per module. The app does not listen by itself. */
export function buildApp({ resources, limiter, operatorToken, readiness, server }: BuildApp): FastifyInstance {
  const { config, log, metrics } = resources;
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Metrics cover each request, and `debug` logs it. The error handler logs errors.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: config.bodyLimitBytes,
    // The router needs no limit on ids: Node limits the request head to 16 KiB, and an overlong id names nothing.
    routerOptions: { maxParamLength: 16_384 },
    // A path with malformed escapes names nothing, so it is answered like every unknown path.
    rewriteUrl: ({ url }) => (isReadable(url!) ? url! : '/v1/unreadable-path'),
    clientErrorHandler: replyClientError,
    serverFactory: () => server,
    // Requests that arrive while the listener closes are still served.
    return503OnClosing: false,
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
  });
  // The header keeps a client from sending its next request on a connection that is about to close.
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
      servePipeline(v1, {
        resources,
        limiter,
        modules(serve) {
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
