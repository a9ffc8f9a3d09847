import type { ServerResponse } from 'node:http';
import type { ConsoleOperation, ConsoleOperationId, consoleOperations } from '@majlis/console-api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from '../database/pool.ts';
import { checkAgain } from '../http/body/check-again.ts';
import { type Bounds, boundBefore } from '../http/body/check-bounds.ts';
import { forgetBody } from '../http/body/forget-body.ts';
import { holdBodies } from '../http/body/hold-bodies.ts';
import { takeJson } from '../http/body/take-json.ts';
import { clientAddress } from '../http/connections/client-address.ts';
import { readWriteKey } from '../http/idempotency/read-write-key.ts';
import type { WriteKey } from '../http/idempotency/stored-answers.ts';
import { knownMembers } from '../http/known-members.ts';
import type { Bodies } from '../http/pipeline.ts';
import { replyConsoleError } from '../http/reply/reply-error.ts';
import type { Request } from '../http/request.ts';
import { compileValidator } from '../http/validate.ts';
import type { Client } from '../people/client.ts';
import { holdRights } from '../people/hold-rights.ts';
import { type PersonSession, requireOpen } from '../people/sessions.ts';
import type { Clock } from '../process/clock.ts';
import type { AuthenticatePerson, PersonCaller } from './authenticate-person.ts';
import type { BrowserCookie } from './browser-cookies.ts';
import { keepFromCaches } from './keep-from-caches.ts';
import { refuseBeyondLimit } from './refuse-beyond-limit.ts';
import { refuseOtherSites } from './refuse-other-sites.ts';

/** A request of the console that passed its audience's check. */
export interface ConsoleRequest<O extends ConsoleOperation> extends Pick<Request<O>, 'params' | 'query' | 'body'> {
  client: Client;
  /** Where an event source goes on. */
  last_event_id: string | undefined;
  /** Of an operation that takes one. */
  key: WriteKey | undefined;
  /** Present but for the audience `anyone`, where it may be absent or await its code. */
  session: O['audience'] extends 'anyone' ? PersonSession | undefined : PersonSession;
  /** Present for a role in a workspace. */
  caller: O['audience'] extends 'anyone' | 'person' ? undefined : PersonCaller;
}

export interface ConsoleAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string> | undefined;
  /** The token of a new session, for the cookie; null ends the cookie. */
  session_token?: string | null;
  /** Takes over the answer, in the place of a body. */
  stream?: (response: ServerResponse) => void;
  /** For the cookie of a device that the account knows from now on. */
  device?: string | undefined;
  /** The state of a visit to the identity provider, for its cookie. */
  oidc_state?: string;
}

/** Binds operations of the console to their handlers: those of the table alone, so that no handler stands outside it. */
export type ServeConsole = <O extends (typeof consoleOperations)[ConsoleOperationId]>(
  operation: O,
  handle: (request: ConsoleRequest<O>) => Promise<ConsoleAnswer>,
) => void;

interface CreateServeConsole {
  app: FastifyInstance;
  pool: Pool;
  clock: Clock;
  people: AuthenticatePerson;
  bodies: Bodies;
  bounds: Bounds;
  listBytes: number;
  cookie: BrowserCookie;
  stateCookie: BrowserCookie;
  deviceCookie: BrowserCookie;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    console_operation?: ConsoleOperation;
  }
  interface FastifyRequest {
    visit: { session: PersonSession | undefined; caller: PersonCaller | undefined };
  }
}

/** A form of a page; a signed-in person may save a draft, whose longest one takes three bytes for each character. */
const bodyBytes = { anyone: 65_536, people: 262_144 };

/** The pipeline of the console's own operations: same site, session, role, recent proof of identity, body. */
export function createServeConsole({
  app,
  pool,
  clock,
  people,
  bodies,
  bounds,
  listBytes,
  cookie,
  stateCookie,
  deviceCookie,
}: CreateServeConsole): ServeConsole {
  app.setValidatorCompiler(boundBefore(compileValidator, bounds));
  app.setErrorHandler(replyConsoleError);
  const ownerOf = ({ ip }: FastifyRequest) => clientAddress(ip);
  takeJson(app, { thread: bodies.thread, bounds, ownerOf });
  holdBodies(app, { ...bodies, ownerOf });
  app.decorateRequest('visit');
  checkAgain(app, clock, async ({ visit: { session, caller }, routeOptions }) => {
    if (caller) await holdRights(pool, caller);
    else if (routeOptions.config.console_operation!.audience === 'person') await requireOpen(pool, session!);
  });
  app.addHook('onRequest', async (request) => {
    refuseOtherSites(request);
    const operation = request.routeOptions.config.console_operation!;
    const { audience, whole_workspace } = operation;
    if (audience === 'anyone') {
      request.visit = { session: await people.findSession(request), caller: undefined };
    } else {
      const session = await people.requireSession(request);
      const caller = audience === 'person' ? undefined : await people.requireCaller(request, session, audience);
      if (caller) await refuseBeyondLimit(pool, caller, { params: request.params, whole_workspace });
      if (operation.confirmed) people.requireConfirmed(session);
      request.visit = { session, caller };
    }
    if (!operation.body) forgetBody(request);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.config.console_operation?.body) request.body = {};
    done();
  });
  app.addHook('onSend', keepFromCaches);

  return (operation, handle) => {
    const { method, path, params, query, body, streams, audience, takes_lists }: ConsoleOperation = operation;
    app.route({
      method,
      url: path.slice('/console/v1'.length).replaceAll(/\{(\w+)\}/g, ':$1'),
      // A HEAD of a stream would open one.
      exposeHeadRoute: !streams,
      bodyLimit: takes_lists ? listBytes : audience === 'anyone' ? bodyBytes.anyone : bodyBytes.people,
      config: { console_operation: operation, measured_as: `console.${operation.id}` },
      schema: { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }) },
      async handler(request, reply) {
        const client = {
          address: request.ip,
          user_agent: request.headers['user-agent'] ?? '',
          device: deviceCookie.read(request),
          gone: untilGone(reply.raw),
        };
        const perform = async () => handle(toRequest(operation, request, client));
        const { workspace_id } = request.visit?.caller ?? {};
        // What writes may call others, which takes long and needs no connection.
        const isRead = workspace_id !== undefined && method === 'GET' && !streams;
        const answer = await (isRead ? pool.limitTenant(workspace_id, perform) : perform());
        if (answer.session_token) cookie.set(reply, answer.session_token);
        if (answer.device) deviceCookie.set(reply, answer.device);
        if (answer.oidc_state) stateCookie.set(reply, answer.oidc_state);
        if (answer.session_token === null) cookie.clear(reply);
        if (answer.stream) {
          reply.hijack();
          return answer.stream(reply.raw);
        }
        return reply
          .code(answer.status)
          .headers(answer.headers ?? {})
          .send(answer.body);
      },
    });
  };
}

/** Aborts when the connection ends before its answer does. */
function untilGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

function toRequest<O extends ConsoleOperation>(
  operation: O,
  request: FastifyRequest,
  client: Client,
): ConsoleRequest<O> {
  const { caller } = request.visit ?? {};
  // Those of each person are apart from those of others and of API keys, which share one space.
  const takesKey = operation.idempotent && caller !== undefined;
  return {
    key: takesKey ? readWriteKey(operation, request, caller.workspace_id, `console ${caller.user_id} `) : undefined,
    params: request.params,
    query: knownMembers(operation.query, request.query),
    body: knownMembers(operation.body, request.body),
    client,
    last_event_id: request.headers['last-event-id'],
    ...request.visit,
  } as ConsoleRequest<O>;
}
