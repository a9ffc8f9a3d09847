import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicId } from '../database/ids.ts';
import { createAuthenticate, type KeyCaller } from '../http/authenticate.ts';
import { holdBodies } from '../http/body/hold-bodies.ts';
import { takeJson } from '../http/body/take-json.ts';
import type { RateLimiter } from '../http/limit-rate/rate-limiter.ts';
import { createLimitRequests } from '../http/limit-requests.ts';
import { type Bodies, refuseUnknown } from '../http/pipeline.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { replyError } from '../http/reply/reply-error.ts';
import type { Resources } from '../process/resources.ts';
import type { ToolContext } from './call-tool.ts';
import { createConfirmations } from './confirmation.ts';
import { performInside } from './perform-inside.ts';
import { refuseOtherOrigins } from './refuse-other-origins.ts';

interface McpRoutes {
  resources: Resources;
  limiter: RateLimiter;
  bodies: Bodies;
}

/**
 * MCP over HTTP for assistants: `POST /mcp` with an API key. Each request is answered by itself, so any process may serve it.
 * A request counts as one under the limits of the workspace, and each operation that it performs as one more.
 */
export async function mcpRoutes(app: FastifyInstance, { resources, limiter, bodies }: McpRoutes): Promise<void> {
  const { config, pool, clock, cursors, log } = resources;
  const authenticate = createAuthenticate(pool, clock);
  const limitRequests = createLimitRequests(limiter, config.rateLimits);
  const confirmations = createConfirmations(cursors, clock.nowMs);
  const ownerOf = ({ caller }: FastifyRequest) => caller.workspace_id;
  app.setErrorHandler(replyMcpError);
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    refuseOtherOrigins(request, config.publicUrl);
    const caller = await authenticate(request.headers.authorization).catch(async (error) => {
      await limitRequests.countAddress(request.ip, reply);
      throw error;
    });
    if (!caller) return refuseUnknown(request, reply, limitRequests);
    request.caller = caller;
    await limitRequests.admit(caller, undefined, reply);
  });
  takeJson(app, { thread: bodies.thread, bounds: config.bounds, ownerOf });
  holdBodies(app, { ...bodies, ownerOf });

  function contextOf({ caller, headers, ip }: FastifyRequest): ToolContext {
    const { workspace_id, key_prefix, scopes } = caller as KeyCaller;
    return {
      principal: { workspace_id: publicId('workspace', workspace_id), key_prefix, scopes },
      perform: performInside(app, headers.authorization!, ip),
      confirmations,
      coming_soon: config.comingSoon,
      onBug: (err) => log.error({ err }, 'a tool of MCP failed'),
    };
  }

  let handler: Promise<McpHttpHandler> | undefined;
  const route = { bodyLimit: config.smallBodyLimitBytes, config: { measured_as: 'mcp' } };
  app.post('/mcp', route, async (request, reply) => {
    // A batch would perform any number of operations in one request. The protocol has had none since 2025-06-18.
    if (!isMessage(request.body))
      return sendProtocolError(reply.code(400), -32600, 'The body must be one JSON-RPC message.');
    handler ??= createHandler();
    const response = await (await handler).fetch(toWebRequest(request, reply), {
      parsedBody: request.body,
      authInfo: { token: '', clientId: '', scopes: [], extra: { context: contextOf(request) } },
    });
    return reply
      .code(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(await response.text());
  });
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/mcp',
    config: route.config,
    handler: () => {
      throw new Refusal('method_not_allowed', { headers: { Allow: 'POST' } });
    },
  });
}

/** The protocol's code takes 20 MB and 0.2 s, so the first request loads it and the start does not. */
async function createHandler(): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./create-server.ts'),
  ]);
  return createMcpHandler(({ authInfo }) => createMcpServer(authInfo!.extra!.context as ToolContext), {
    // Nothing here announces changes, so nobody needs a stream that stays open.
    maxSubscriptions: 0,
  });
}

function toWebRequest({ headers }: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  const named = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  // These describe the bytes of the body, which was read.
  const isKept = ([name]: [string, string]) => !['content-length', 'transfer-encoding', 'connection'].includes(name);
  return new Request('http://majlis/mcp', { method: 'POST', headers: named.filter(isKept), signal: left.signal });
}

function isMessage(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** A body that cannot be read is an error of the protocol. The other refusals are those of `/v1`. */
function replyMcpError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal && error.code === 'unprocessable_content') {
    return sendProtocolError(reply.code(400), -32700, error.extra.errors?.[0]?.detail ?? error.message);
  }
  if ((error as { code?: unknown }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return sendProtocolError(reply.code(415), -32000, 'The Content-Type must be application/json.');
  }
  return replyError(error, request, reply);
}

function sendProtocolError(reply: FastifyReply, code: number, message: string): FastifyReply {
  return reply.send({ jsonrpc: '2.0', id: null, error: { code, message } });
}
