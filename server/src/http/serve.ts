import type { Operation } from '@majlis/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { shareReads } from '../concurrency/limit-per-key.ts';
import { type TakeTurn, takeTurns } from '../concurrency/take-turns.ts';
import { groupCommit } from '../database/group-commit.ts';
import type { Pool } from '../database/pool.ts';
import { separateTransaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import type { Caller } from './authenticate.ts';
import { takeForms } from './body/take-upload.ts';
import { fingerprint } from './idempotency/fingerprint.ts';
import { readIdempotencyKey } from './idempotency/idempotency-key.ts';
import { performWrites, type Writing } from './idempotency/perform-writes.ts';
import { type Answer, keyText, type WriteKey } from './idempotency/stored-answers.ts';
import { knownMembers } from './known-members.ts';
import { Refusal } from './reply/refusal.ts';
import { type Download, sendBytes } from './reply/send-bytes.ts';
import type { Perform, Read, Request, Write, WriteMany } from './request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hallway before anything else is looked at. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    /** Its name in the metrics, of a door that is no operation of the contract. */
    measured_as?: string;
  }
}

/** How a room gives an operation of the contract its code. Each operation has one. */
export interface Serve {
  read<O extends Operation>(operation: O, read: Read<O>): void;
  /** For a read that takes long. */
  report<O extends Operation>(operation: O, read: Read<O>): void;
  write<O extends Operation>(operation: O, write: Write<O>): void;
  /** For what goes on after its commit, and so opens its own transactions. It takes no idempotency key. */
  perform<O extends Operation>(operation: O, perform: Perform<O>): void;
  /** For writes that come in floods: concurrent ones share a transaction, so many commits become one. */
  writeTogether<O extends Operation>(operation: O, writeMany: WriteMany<O>): void;
  /** For a form with a file, which is read from the request while it arrives. */
  upload<O extends Operation>(operation: O, upload: (request: FastifyRequest) => Promise<Answer>): void;
  /** For raw bytes. */
  download<O extends Operation>(operation: O, read: (request: Request<O>) => Promise<Download>): void;
}

interface CreateServe {
  app: FastifyInstance;
  pool: Pool;
  clock: Clock;
  /** Of one workspace. A read asks one thing after the other, so each takes one connection at most. */
  reads_at_once: number;
  /** An operation for which this is false is not routed: it answers 404. */
  isServed: (operation: Operation) => boolean;
  onServed: (operation: Operation) => void;
}

export function createServe({ app, pool, clock, reads_at_once, isServed, onServed }: CreateServe): Serve {
  const share = shareReads(reads_at_once);
  const turn = takeTurns(2);

  function route(operation: Operation, handler: RouteHandlerMethod): void {
    onServed(operation);
    if (isServed(operation)) routeIn(app, operation, handler);
  }
  function routeIn(scope: FastifyInstance, operation: Operation, handler: RouteHandlerMethod): void {
    scope.route({
      method: operation.method,
      url: operation.path.slice('/v1'.length).replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operation },
      schema: schemaOf(operation),
      handler,
    });
  }
  function routeRead<O extends Operation>(operation: O, read: Read<O>): void {
    route(operation, async (request, reply) => {
      return reply.code(operation.reply.status).send(await read(requestOf(operation, request)));
    });
  }

  return {
    read(operation, read) {
      routeRead(operation, inTurn(share, read));
    },
    report(operation, read) {
      // In this order: one that waits for the others keeps no list of its workspace waiting.
      routeRead(operation, inTurn(turn, inTurn(share, read)));
    },
    write(operation, write) {
      const story: WriteMany<typeof operation> = async (tx, [request]) => [await write(tx, request!)];
      route(operation, async (request, reply) => {
        const writings = [writingOf(operation, request)];
        const [answer] = await separateTransaction(pool, request.caller.workspace_id, (tx) =>
          performWrites(tx, clock, story, writings),
        );
        return sendAnswer(answer!, reply);
      });
    },
    perform(operation, perform) {
      route(operation, async (request, reply) => sendAnswer(await perform(requestOf(operation, request)), reply));
    },
    writeTogether(operation, writeMany) {
      const perform = groupCommit(
        pool,
        (tx, writings: Writing<typeof operation>[]) => performWrites(tx, clock, writeMany, writings),
        {
          concurrency: 2,
          max_items: 64,
          conflict_key: ({ key }) => key && keyText(key),
          tenant_of: ({ request }) => request.caller.workspace_id,
        },
      );
      route(operation, async (request, reply) => sendAnswer(await perform(writingOf(operation, request)), reply));
    },
    upload(operation, upload) {
      onServed(operation);
      if (!isServed(operation)) return;
      // Forms are read where they are expected, and refused everywhere else.
      app.register(async (scope) => {
        await takeForms(scope);
        routeIn(scope, operation, async (request, reply) => sendAnswer(await upload(request), reply));
      });
    },
    download(operation, read) {
      route(operation, async (request, reply) => sendBytes(await read(requestOf(operation, request)), request, reply));
    },
  };
}

function inTurn<O extends Operation>(take: TakeTurn, read: Read<O>): Read<O> {
  return (request) => take(request.caller.workspace_id, () => read(request));
}

function schemaOf({ params, query, body, body_content_type, reply }: Operation): object {
  const statuses = [reply.status, ...(reply.otherwise ? [reply.otherwise.status] : [])];
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && !body_content_type && { body }),
    ...(reply.body && { response: Object.fromEntries(statuses.map((status) => [status, reply.body])) }),
  };
}

function requestOf<O extends Operation>(operation: O, { caller, params, query, body }: FastifyRequest): Request<O> {
  return {
    caller,
    params,
    query: knownMembers(operation.query, query),
    body: knownMembers(operation.body, body),
  } as Request<O>;
}

function writingOf<O extends Operation>(operation: O, request: FastifyRequest): Writing<O> {
  return {
    request: requestOf(operation, request),
    key: operation.idempotent ? writeKeyOf(operation, request) : undefined,
  };
}

function writeKeyOf({ path }: Operation, { caller, raw, method, params, body }: FastifyRequest): WriteKey | undefined {
  const key = readIdempotencyKey(raw.headersDistinct['idempotency-key']);
  if (key === undefined) return undefined;
  if (typeof key !== 'string') throw new Refusal('unprocessable_content', { detail: key.detail });
  return {
    workspace_id: caller.workspace_id,
    // The path as it was understood: written with percent-escapes it is the same one.
    operation: `${method} ${path.replaceAll(/\{(\w+)\}/g, (_, name) => (params as Record<string, string>)[name]!)}`,
    key,
    fingerprint: fingerprint(body),
  };
}

function sendAnswer(answer: Answer | Refusal, reply: FastifyReply): FastifyReply {
  if (answer instanceof Refusal) throw answer;
  return reply.code(answer.status).send(answer.body);
}
