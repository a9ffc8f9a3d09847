import type { Operation } from '@majlis/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { type LimitPerKey, limitPerKey } from '../concurrency/limit-per-key.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { Connection, Pool } from '../database/pool.ts';
import { separateTransaction, transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import type { Caller } from './authenticate.ts';
import { takeForms } from './body/take-upload.ts';
import { type HoldAnswer, type KeyedRequest, performWrites } from './idempotency/perform-writes.ts';
import { readWriteKey } from './idempotency/read-write-key.ts';
import { type Answer, keyText } from './idempotency/stored-answers.ts';
import { knownMembers } from './known-members.ts';
import type { Admission } from './limit-rate/rate-limiter.ts';
import { Refusal } from './reply/refusal.ts';
import { type Download, sendBytes } from './reply/send-bytes.ts';
import type { Perform, Read, Request, Transact, Write, WriteMany } from './request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The first step of the pipeline sets it. */
    caller: Caller;
    /** Absent for a request that counts against no limit. */
    admission: Admission | undefined;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    /** The name in the metrics of a route that is no operation of the contract. */
    measured_as?: string;
  }
}

/** Binds operations of the contract to their handlers. Each operation has one handler. */
export interface Serve {
  read<O extends Operation>(operation: O, read: Read<O>): void;
  /** For a read that takes long. */
  report<O extends Operation>(operation: O, read: Read<O>): void;
  write<O extends Operation>(operation: O, write: Write<O>): void;
  /** For a handler that does more than one transaction. It takes no idempotency key. */
  perform<O extends Operation>(operation: O, perform: Perform<O>): void;
  /** For frequent writes: concurrent ones share a transaction and its commit. */
  writeTogether<O extends Operation>(operation: O, writeMany: WriteMany<O>): void;
  /** For a form with a file, which the handler reads while it arrives. */
  upload<O extends Operation>(
    operation: O,
    upload: (request: FastifyRequest, transact: Transact) => Promise<Answer>,
  ): void;
  /** For a reply that the handler writes by itself: it may wait, or stay open as a stream. */
  answer<O extends Operation>(operation: O, answer: (call: AnswerCall<O>) => Promise<unknown>): void;
  /** For raw bytes. */
  download<O extends Operation>(operation: O, read: (request: Request<O>) => Promise<Download>): void;
}

export interface AnswerCall<O extends Operation> {
  input: Request<O>;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface CreateServe {
  app: FastifyInstance;
  pool: Pool;
  clock: Clock;
  bodyLimitOf: (operation: Operation) => number;
  /** Other operations get no route, so they answer 404. */
  isServed: (operation: Operation) => boolean;
  onServed: (operation: Operation) => void;
  /** Keeps the idempotency keys of each person apart from those of others and of API keys, which share one space. */
  key_scope?: (caller: Caller) => string;
  /** Operations that take an idempotency key here, though the contract's do not. */
  also_idempotent?: readonly string[];
  /** Records performed writes: in their transaction, or after them where they have none. */
  record?: RecordWrites;
  /** Throws a refusal where the caller has lost a right since the request came. It holds their rights until the write ends. */
  hold_rights?: (connection: Connection, caller: Caller) => Promise<void>;
  /** Throws a refusal where the caller may not see any more what the stored answer of an idempotency key is about. */
  hold_answer?: HoldAnswer;
}

export type RecordWrites = (
  connection: Connection,
  operation: Operation,
  requests: readonly { caller: Caller; params: unknown; idempotency_key?: string | undefined }[],
) => Promise<void>;

export function createServe({
  app,
  pool,
  clock,
  bodyLimitOf,
  isServed,
  onServed,
  key_scope = () => '',
  also_idempotent = [],
  record,
  hold_rights,
  hold_answer,
}: CreateServe): Serve {
  // Sixteen reports of a large workspace would hold all connections of the pool (hazard H67).
  const limitReports = limitPerKey({ per_key: 1, in_all: 2 });

  /** Undefined for an operation that takes no key. */
  function keyScopeOf(operation: Operation): ((caller: Caller) => string) | undefined {
    return operation.idempotent || also_idempotent.includes(operation.id) ? key_scope : undefined;
  }
  function route(operation: Operation, handler: RouteHandlerMethod): void {
    onServed(operation);
    if (isServed(operation)) routeIn(app, operation, handler);
  }
  function routeIn(scope: FastifyInstance, operation: Operation, handler: RouteHandlerMethod): void {
    scope.route({
      method: operation.method,
      url: operation.path.slice('/v1'.length).replaceAll(/\{(\w+)\}/g, ':$1'),
      // A HEAD of a stream would open one.
      exposeHeadRoute: !('streams' in operation),
      config: { operation },
      bodyLimit: bodyLimitOf(operation),
      schema: toRouteSchema(operation),
      handler,
    });
  }
  /** Records the writes that were performed, and not those with a stored answer. */
  function recorded<O extends Operation>(operation: O, writeMany: WriteMany<O>): WriteMany<O> {
    if (!record) return writeMany;
    return async (tx, requests) => {
      const answers = await writeMany(tx, requests);
      await record(
        tx,
        operation,
        requests.filter((_, index) => !(answers[index] instanceof Refusal)),
      );
      return answers;
    };
  }
  /** Leaves out the writes of callers who have lost a right. */
  function permitted<O extends Operation>(writeMany: WriteMany<O>): WriteMany<O> {
    if (!hold_rights) return writeMany;
    return async (tx, requests) => {
      const refusals = new Map<Request<O>, Refusal>();
      for (const request of requests) {
        await hold_rights(tx, request.caller).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
          refusals.set(request, error);
        });
      }
      const others = requests.filter((request) => !refusals.has(request));
      const answers = (others.length === 0 ? [] : await writeMany(tx, others)).values();
      return requests.map((request) => refusals.get(request) ?? answers.next().value!);
    };
  }
  /** `isRecorded` tells whether a transaction has recorded the act. */
  function transactFor(operation: Operation, request: FastifyRequest): { transact: Transact; isRecorded(): boolean } {
    let recorded = false;
    return {
      isRecorded: () => recorded,
      async transact(work) {
        const result = await pool.limitTenant(request.caller.workspace_id, () =>
          transaction(pool, async (tx) => {
            await hold_rights?.(tx, request.caller);
            const done = await work(tx);
            await record?.(tx, operation, [request]);
            return done;
          }),
        );
        recorded = true;
        return result;
      },
    };
  }
  function routeRead<O extends Operation>(operation: O, read: Read<O>): void {
    route(operation, async (request, reply) => {
      return reply.code(operation.reply.status).send(await read(readRequest(operation, request)));
    });
  }

  return {
    read(operation, read) {
      routeRead(operation, limited(pool.limitTenant, read));
    },
    report(operation, read) {
      // In this order, a report that waits for other reports takes no place of its workspace's lists.
      routeRead(operation, limited(limitReports, limited(pool.limitTenant, read)));
    },
    write(operation, write) {
      const writeMany: WriteMany<typeof operation> = async (tx, [request]) => [await write(tx, request!)];
      route(operation, async (request, reply) => {
        const keyed = toKeyedRequest(operation, request, keyScopeOf(operation));
        const { workspace_id } = request.caller;
        const [answer] = await pool.limitTenant(workspace_id, () =>
          separateTransaction(pool, workspace_id, (tx) =>
            performWrites(tx, clock, permitted(recorded(operation, writeMany)), [keyed], hold_answer),
          ),
        );
        return sendAnswer(answer!, reply);
      });
    },
    perform(operation, perform) {
      route(operation, async (request, reply) => {
        const { transact, isRecorded } = transactFor(operation, request);
        const answer = await perform(readRequest(operation, request), transact);
        if (!isRecorded()) await record?.(pool, operation, [request]);
        return sendAnswer(answer, reply);
      });
    },
    writeTogether(operation, writeMany) {
      const perform = groupCommit(
        pool,
        (tx, requests: KeyedRequest<typeof operation>[]) =>
          performWrites(tx, clock, permitted(recorded(operation, writeMany)), requests, hold_answer),
        {
          concurrency: 2,
          max_items: 64,
          conflict_key: ({ key }) => key && keyText(key),
          tenant_of: ({ request }) => request.caller.workspace_id,
        },
      );
      route(operation, async (request, reply) =>
        sendAnswer(await perform(toKeyedRequest(operation, request, keyScopeOf(operation))), reply),
      );
    },
    upload(operation, upload) {
      onServed(operation);
      if (!isServed(operation)) return;
      // Other routes refuse forms.
      app.register(async (scope) => {
        await takeForms(scope);
        routeIn(scope, operation, async (request, reply) => {
          return sendAnswer(await upload(request, transactFor(operation, request).transact), reply);
        });
      });
    },
    answer(operation, answer) {
      route(operation, async (request, reply) => answer({ input: readRequest(operation, request), request, reply }));
    },
    download(operation, read) {
      route(operation, async (request, reply) =>
        sendBytes(await read(readRequest(operation, request)), request, reply),
      );
    },
  };
}

function limited<O extends Operation>(limit: LimitPerKey, read: Read<O>): Read<O> {
  return (request) => limit(request.caller.workspace_id, () => read(request));
}

function toRouteSchema({ params, query, body, body_content_type, reply }: Operation): object {
  const statuses = [reply.status, ...(reply.otherwise ? [reply.otherwise.status] : [])];
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && !body_content_type && { body }),
    ...(reply.body && { response: Object.fromEntries(statuses.map((status) => [status, reply.body])) }),
  };
}

function readRequest<O extends Operation>(operation: O, { caller, params, query, body }: FastifyRequest): Request<O> {
  return {
    caller,
    params,
    query: knownMembers(operation.query, query),
    body: knownMembers(operation.body, body),
  } as Request<O>;
}

function toKeyedRequest<O extends Operation>(
  operation: O,
  request: FastifyRequest,
  key_scope: ((caller: Caller) => string) | undefined,
): KeyedRequest<O> {
  const { caller } = request;
  const key = key_scope && readWriteKey(operation, request, caller.workspace_id, key_scope(caller));
  return { request: { ...readRequest(operation, request), idempotency_key: key?.key }, key };
}

function sendAnswer(answer: Answer | Refusal, reply: FastifyReply): FastifyReply {
  if (answer instanceof Refusal) throw answer;
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .send(answer.body);
}
