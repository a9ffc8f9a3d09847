import { type Operation, operations } from '@majlis/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Resources } from '../process/resources.ts';
import { allowedMethods, operationsAt, pathOf } from './allowed-methods.ts';
import { createAuthenticate } from './authenticate.ts';
import { takeJson } from './body/take-json.ts';
import type { RateLimiter } from './limit-rate/rate-limiter.ts';
import { createLimitRequests, type LimitRequests } from './limit-requests.ts';
import { Refusal } from './reply/refusal.ts';
import { replyError } from './reply/reply-error.ts';
import { createServe, type Serve } from './serve.ts';
import { compileValidator } from './validate.ts';

/**
 * The way of every `/v1` request: authenticate, limit, read the body, check it against its schema, then the
 * operation. Limits come before the body is read, so a refused upload costs nothing.
 */
export async function servePipeline(
  app: FastifyInstance,
  { resources, limiter, modules }: { resources: Resources; limiter: RateLimiter; modules: (serve: Serve) => void },
): Promise<void> {
  const { config, pool, clock } = resources;
  const authenticate = createAuthenticate(pool);
  const limitRequests = createLimitRequests(limiter, config.rateLimits);

  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(replyError);
  takeJson(app);
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    const caller = await authenticate(request.headers.authorization).catch(async (error) => {
      await limitRequests.countAddress(request.ip, reply);
      throw error;
    });
    if (!caller) return refuseUnknown(request, reply, limitRequests);
    request.caller = caller;
    // Nothing is of no type, whatever it is said to be of: `curl -d ''` says it is a form.
    if (request.headers['content-length'] === '0') delete request.headers['content-type'];
    const operation = request.routeOptions.config.operation;
    await limitRequests.admit(caller, operation, reply);
    // Before the body is read: what is not served is not, whatever is sent to it.
    if (!operation || isOther(operation, request.url))
      throw refusePath(operationsAt([...served], request.url), request.method);
    refuseScope(caller.scopes, operation, config.enforceScopes);
    if (!operation.body) forgetBody(request);
  });
  // A body that was left out is an empty one: what is missing in it is then named.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.config.operation?.body) request.body = {};
    done();
  });

  const served = new Set<Operation>();
  const literals = new Set<string>(Object.values(operations).map(({ path }) => path));
  // The router knows each method by itself: GET of a path that only takes POST is for it an id of some other path.
  const isOther = ({ path }: Operation, url: string) => path.includes('{') && literals.has(pathOf(url));
  const isServed = (operation: Operation) => config.comingSoon || operation.label !== 'Coming soon';
  // What is switched off is not there, whatever else its path takes.
  const refusePath = (known: readonly Operation[], method: string) => {
    const isOff = known.some((operation) => operation.method === method && !isServed(operation));
    return refuseMethod(isOff ? [] : allowedMethods(known.filter(isServed)));
  };
  // Half of the connections stay for the others, and it costs nothing: on two cores one workspace reads as much through
  // three connections as through sixteen.
  const reads_at_once = Math.ceil(config.databasePoolSize / 2);
  const onServed = (operation: Operation) => serveOnce(operation, served);
  modules(createServe({ app, pool, clock, reads_at_once, isServed, onServed }));
  assertComplete(served);
  // Its own, so that the hook above stands before it too, and answers in its place.
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found');
  });
}

function refuseMethod(allow: readonly string[]): Refusal {
  if (allow.length === 0) return new Refusal('not_found');
  return new Refusal('method_not_allowed', { headers: { Allow: allow.join(', ') } });
}

/** 401 is the same for every key that is not valid, and counts against the caller's address alone. */
async function refuseUnknown(request: FastifyRequest, reply: FastifyReply, limit: LimitRequests): Promise<never> {
  await limit.countAddress(request.ip, reply);
  throw new Refusal('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function refuseScope(scopes: readonly string[], operation: Operation | undefined, enforced: boolean): void {
  if (!enforced || !operation?.scope || scopes.includes(operation.scope)) return;
  throw new Refusal('insufficient_scope', {
    detail: `The key needs the scope ${operation.scope}.`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${operation.scope}"` },
  });
}

/** Where an operation takes no body, one that comes is left unread, as that of a GET is: no answer can then depend on it. */
function forgetBody({ headers }: FastifyRequest): void {
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name];
}

function serveOnce(operation: Operation, served: Set<Operation>): void {
  if (served.has(operation)) throw new Error(`The operation ${operation.id} has two handlers.`);
  served.add(operation);
}

/** The service does not start with an operation that nobody serves. */
function assertComplete(served: ReadonlySet<Operation>): void {
  for (const operation of Object.values(operations) as Operation[]) {
    if (!served.has(operation)) throw new Error(`The operation ${operation.id} has no handler.`);
  }
}
