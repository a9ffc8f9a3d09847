import { extensionOperations, type KeyScope, type Operation, operations } from '@majlis/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ReserveBytes } from '../concurrency/byte-budget.ts';
import type { Connection } from '../database/pool.ts';
import type { Resources } from '../process/resources.ts';
import { allowedMethods, operationsAt, pathOf } from './allowed-methods.ts';
import { type Caller, createAuthenticate, type KeyCaller } from './authenticate.ts';
import { boundsOf } from './body/body-bounds.ts';
import { checkAgain } from './body/check-again.ts';
import { boundBefore } from './body/check-bounds.ts';
import type { BodyThread } from './body/check-in-thread.ts';
import { forgetBody } from './body/forget-body.ts';
import { holdBodies } from './body/hold-bodies.ts';
import { takeJson } from './body/take-json.ts';
import { holdKey } from './hold-key.ts';
import type { RateLimiter } from './limit-rate/rate-limiter.ts';
import { createLimitRequests, type LimitRequests } from './limit-requests.ts';
import { Refusal } from './reply/refusal.ts';
import { replyError } from './reply/reply-error.ts';
import { refuseWithoutScope, sendingScope } from './require-scope.ts';
import { createServe, type Serve } from './serve.ts';
import { compileValidator } from './validate.ts';

const all: readonly Operation[] = [...Object.values<Operation>(operations), ...Object.values(extensionOperations)];

interface ServePipeline {
  resources: Resources;
  limiter: RateLimiter;
  bodies: Bodies;
  modules: (serve: Serve) => void;
}

/** What all doors share to read bodies. */
export interface Bodies {
  thread: BodyThread;
  reserve: ReserveBytes;
  /** How long a body may take to arrive. */
  timeout_ms: number;
}

/**
 * The pipeline of every `/v1` request: authenticate, limit, read the body, check bounds, validate, perform the operation. Limits
 * precede the body, so a refused upload costs nothing (hazard H66).
 */
export async function servePipeline(
  app: FastifyInstance,
  { resources, limiter, bodies, modules }: ServePipeline,
): Promise<void> {
  const { config, pool, clock } = resources;
  const authenticate = createAuthenticate(pool, clock);
  const limitRequests = createLimitRequests(limiter, config.rateLimits);
  const lacksScope = ({ scopes }: KeyCaller, scope: KeyScope) => config.enforceScopes && !scopes.includes(scope);

  app.setValidatorCompiler(boundBefore(compileValidator, config.bounds));
  app.setErrorHandler(async (error, request, reply) => {
    const { admission, caller, routeOptions } = request;
    if (admission) await limitRequests.giveBack(admission, caller, routeOptions.config.operation, reply);
    return replyError(error, request, reply);
  });
  const ownerOf = ({ caller }: FastifyRequest) => caller.workspace_id;
  takeJson(app, { thread: bodies.thread, bounds: config.bounds, ownerOf });
  app.decorateRequest('caller');
  app.decorateRequest('admission');
  checkAgain(app, clock, ({ caller }) => holdKey(pool, clock, caller as KeyCaller));
  app.addHook('onRequest', async (request, reply) => {
    const caller = await authenticate(request.headers.authorization).catch(async (error) => {
      await limitRequests.countAddress(request.ip, reply);
      throw error;
    });
    if (!caller) return refuseUnknown(request, reply, limitRequests);
    request.caller = { ...caller, starts_no_workflows: lacksScope(caller, sendingScope) };
    // An empty body has no content type. `curl -d ''` declares it as a form.
    if (request.headers['content-length'] === '0') delete request.headers['content-type'];
    const operation = request.routeOptions.config.operation;
    request.admission = await limitRequests.admit(caller, operation, reply);
    // This precedes the body: an unknown path is 404 for any body.
    if (!operation || isOther(operation, request.url)) throw refusePath(request);
    if (operation.scope && lacksScope(caller, operation.scope)) throw refuseWithoutScope(operation.scope);
    if (!operation.body) forgetBody(request);
  });
  holdBodies(app, { ...bodies, ownerOf });
  // A missing body counts as an empty object, so that the refusal names the missing members.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.config.operation?.body) request.body = {};
    done();
  });
  // Where the body decides which scope the operation needs, it is valid by now.
  app.addHook('preHandler', (request, _reply, done) => {
    const needed = request.routeOptions.config.operation?.scope_with;
    const isAsked = needed && (request.body as Record<string, unknown>)[needed.member] === needed.is;
    if (isAsked && lacksScope(request.caller as KeyCaller, needed.scope)) throw refuseWithoutScope(needed.scope);
    done();
  });

  const served = new Set<Operation>();
  const literals = new Set<string>(all.map(({ path }) => path));
  // The router matches per method: GET of a literal path that only takes POST would match another path's id.
  const isOther = ({ path }: Operation, url: string) => path.includes('{') && literals.has(pathOf(url));
  const isServed = (operation: Operation) => config.comingSoon || operation.label !== 'Coming soon';
  // An operation that COMING_SOON switches off is 404, even if its path serves other methods.
  const refusePath = ({ method, url, originalUrl }: FastifyRequest) => {
    // Not for an id in the path, readable or not: nothing tells an unknown one from one of another workspace.
    const isPath = operationsAt([...served], originalUrl).length > 0;
    if (!isPath) return new Refusal('not_found', { detail: 'There is no such path.' });
    const known = operationsAt([...served], url);
    const isOff = known.some((operation) => operation.method === method && !isServed(operation));
    return refuseMethod(isOff ? [] : allowedMethods(known.filter(isServed)));
  };
  const onServed = (operation: Operation) => serveOnce(operation, served);
  const bodyLimitOf = (operation: Operation) => boundsOf(operation, config).bytes;
  const hold_rights = (connection: Connection, caller: Caller) => holdKey(connection, clock, caller as KeyCaller);
  modules(createServe({ app, pool, clock, bodyLimitOf, isServed, onServed, hold_rights }));
  assertComplete(served);
  // The pipeline has its own handler for unknown paths, so that the hook above precedes it.
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found');
  });
}

function refuseMethod(allow: readonly string[]): Refusal {
  if (allow.length === 0) return new Refusal('not_found');
  return new Refusal('method_not_allowed', { headers: { Allow: allow.join(', ') } });
}

/** 401 is equal for every invalid key (hazard H103) and counts against the caller's address alone. */
export async function refuseUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: LimitRequests,
): Promise<never> {
  await limit.countAddress(request.ip, reply);
  throw new Refusal('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function serveOnce(operation: Operation, served: Set<Operation>): void {
  if (served.has(operation)) throw new Error(`The operation ${operation.id} has two handlers.`);
  served.add(operation);
}

/** Stops the start if an operation has no handler. */
function assertComplete(served: ReadonlySet<Operation>): void {
  for (const operation of all) {
    if (!served.has(operation)) throw new Error(`The operation ${operation.id} has no handler.`);
  }
}
