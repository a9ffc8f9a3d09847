import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { createRequestedModel } from './ai/requested-model.ts';
import { aiRoutes } from './ai/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { broadcastRoutes } from './broadcasts/routes.ts';
import { channelRoutes } from './channels/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { consoleFiles } from './console/static-files.ts';
import { contactHolders } from './contact-holders.ts';
import { erasureRoutes } from './contacts/erase/erasure-routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { documentationRoutes } from './documentation/routes.ts';
import type { FeedFollowers } from './events/feed-followers.ts';
import { eventFeedRoutes } from './events/feed-routes.ts';
import { createBodyThread } from './http/body/check-in-thread.ts';
import { forgetBody } from './http/body/forget-body.ts';
import { createBodyBudget } from './http/body/hold-bodies.ts';
import { inNetworks } from './http/connections/client-address.ts';
import { endUnreadBody } from './http/connections/end-unread-body.ts';
import type { RateLimiter } from './http/limit-rate/rate-limiter.ts';
import { servePipeline } from './http/pipeline.ts';
import { boundLists } from './http/reply/bound-lists.ts';
import { Refusal } from './http/reply/refusal.ts';
import { replyClientError } from './http/reply/reply-client-error.ts';
import { replyError } from './http/reply/reply-error.ts';
import { serializeLazily } from './http/reply/serialize-lazily.ts';
import type { Serve } from './http/serve.ts';
import { inboundRoutes } from './inbound/routes.ts';
import type { LiveStreams } from './live/live-streams.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { mediaLinkRoutes } from './media/link.ts';
import { mediaRoutes } from './media/routes.ts';
import { messageRoutes } from './messages/routes.ts';
import { type OperatorOptions, operatorRoutes } from './operator/routes.ts';
import type { PlatformClient } from './platform/client.ts';
import { probeRoutes, type Readiness } from './probes/routes.ts';
import type { Resources } from './process/resources.ts';
import { templateRoutes } from './templates/routes.ts';
import { userRoutes } from './users/routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoints/routes.ts';
import { workflowRoutes } from './workflows/routes.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

interface BuildApp {
  resources: Resources;
  platform: PlatformClient;
  live: LiveStreams;
  followers: FeedFollowers;
  limiter: RateLimiter;
  operator: OperatorOptions;
  exampleIds: ReadonlyMap<string, string> | undefined;
  readiness: Readiness;
  /** The listening server. Its owner closes it. */
  server: Server;
}

/** Builds the HTTP app, with one line per module. The app does not listen by itself. */
export function buildApp({
  resources,
  platform,
  live,
  followers,
  limiter,
  operator,
  exampleIds,
  readiness,
  server,
}: BuildApp): FastifyInstance {
  const { config, log, metrics } = resources;
  const timeout_ms = config.requestTimeoutSeconds * 1000;
  const bodies = { thread: createBodyThread(), reserve: createBodyBudget(config), timeout_ms };
  // A budget apart: anyone may send bodies at these doors, and they must not delay the requests of workspaces.
  const strangersBodies = { ...bodies, reserve: createBodyBudget(config) };
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
    trustProxy: inNetworks(config.trustedProxies),
    serverFactory: () => server,
    schemaController: { compilersFactory: { buildSerializer: serializeLazily() } },
    // Requests that arrive while the listener closes are still served.
    return503OnClosing: false,
    // A busy machine takes its time: the limit of 10 s would end a start that goes on.
    pluginTimeout: 0,
  });
  app.addHook('onClose', () => bodies.thread.close());
  // Fastify takes its body for one to parse, and refuses it without a type.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    // Anyone may send a body to an unknown path: it is neither held nor parsed.
    if (request.is404) forgetBody(request);
    if (hasTwoHosts(request.raw)) {
      reply.hijack();
      replyClientError(new Error('two hosts'), request.raw.socket);
    }
  });
  // The header keeps a client from sending its next request on a connection that is about to close.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.draining) reply.header('Connection', 'close');
    done(null, payload);
  });
  app.addHook('onResponse', async (request, reply) => {
    endUnreadBody(request.raw);
    const { config: route } = request.routeOptions;
    const operation = route.operation?.id ?? route.measured_as ?? 'other';
    // A stream is no answer that takes hours.
    const streams = route.console_operation?.streams || (route.operation && 'streams' in route.operation);
    if (streams && reply.statusCode === 200) return;
    metrics.requests.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    request.log.debug(
      { method: request.method, operation, status: reply.statusCode, ms: reply.elapsedTime },
      'request',
    );
  });
  const model = createRequestedModel(config);
  boundLists(app, config.listBytesMax);
  app.setErrorHandler(replyError);
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found');
  });

  function modules(serve: Serve): void {
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
    aiRoutes(serve, resources, model);
    analyticsRoutes(serve, resources);
  }
  // People have the live stream.
  const keyModules = (serve: Serve) => {
    modules(serve);
    eventFeedRoutes(serve, resources, followers);
  };
  app.register((v1) => servePipeline(v1, { resources, limiter, bodies, modules: keyModules }), { prefix: '/v1' });
  app.register(
    (people) => consoleRoutes(people, { resources, platform, live, limiter, bodies, strangersBodies, model, modules }),
    {
      prefix: '/console/v1',
    },
  );
  app.register((door) => inboundRoutes(door, { resources, limiter, bodies: strangersBodies }), { prefix: '/platform' });
  app.register((door) => mediaLinkRoutes(door, resources), { prefix: '/platform' });
  app.register((door) => operatorRoutes(door, { resources, bodies, limiter, ...operator }), { prefix: '/operator' });
  app.register((door) => mcpRoutes(door, { resources, limiter, bodies }));
  app.register((door) => consoleFiles(door));
  app.register((door) => documentationRoutes(door, config, exampleIds));
  app.register((door) => probeRoutes(door, resources, readiness));
  return app;
}

/** Node keeps the first one, and a proxy may have judged by the other (RFC 9112, section 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.toLowerCase() === 'host') hosts++;
  return hosts > 1;
}

function isReadable(url: string): boolean {
  try {
    decodeURI(url.split('?')[0]!);
    return true;
  } catch {
    return false;
  }
}
