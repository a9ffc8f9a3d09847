import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Operation, type OperationId, operations } from '@majlis/contract';
import type { Static, TSchema } from 'typebox';
import { type ApiCall, type ApiClient, createApiClient } from './api-client.ts';
import { type ApiResponse, describeResponse, errorCodeOf } from './api-response.ts';
import { findResponseFaults } from './find-schema-faults.ts';
import type { ConformOptions } from './options.ts';
import type { EventReceiver } from './receive-events.ts';
import { Broken, NotChecked } from './verdict.ts';

type ReplyOf<Id extends OperationId> = (typeof operations)[Id]['reply'] extends { body: infer Body extends TSchema }
  ? Static<Body>
  : undefined;

/** The state of one run. */
export interface Session {
  options: ConformOptions;
  client: ApiClient;
  /** Unique for each run, and part of the names of all that it creates. */
  run_name: string;
  /** Listens on `webhook_port`, where it is given. */
  receiver: EventReceiver | undefined;
  answers: ApiResponse[];
  /** Undo the changes of clauses, in reverse order. Return a description of a remainder. */
  cleanUps: (() => Promise<string | undefined>)[];
  /** Descriptions of the things that remain after the run. */
  leaves: Set<string>;
  /** Resources that several clauses share, by name. */
  fixtures: Map<string, Promise<unknown>>;
  /** See `drawNumber`. */
  drawn_numbers: Set<string>;
  /** Ids of clauses that explain why others could not be checked. They run even if `only` leaves them out. */
  referred: Set<string>;
  /** Removed from the report. */
  secrets: Set<string>;
}

export function openSession(options: ConformOptions): Session {
  const answers: ApiResponse[] = [];
  const secrets = new Set([options.key, ...(options.second_key ? [options.second_key] : [])]);
  return {
    options,
    client: createApiClient(options.url, options.key, (answer) => answers.push(answer)),
    run_name: `conform-${randomBytes(4).toString('hex')}`,
    receiver: undefined,
    answers,
    cleanUps: [],
    leaves: new Set(),
    fixtures: new Map(),
    drawn_numbers: new Set(),
    referred: new Set(),
    secrets,
  };
}

/** Calls the operation and returns the body. Throws Broken for another status, NotChecked for a wrong schema. */
export async function expectSuccess<Id extends OperationId>(
  { client, referred }: Pick<Session, 'client' | 'referred'>,
  id: Id,
  call: ApiCall = {},
  status: number = operations[id].reply.status,
): Promise<ReplyOf<Id>> {
  const operation: Operation = operations[id];
  const answer = await client.call(operation, call);
  if (answer.status === 403) throw new NotChecked('the key may not do this: 403');
  assertLive(answer);
  if (answer.status !== status)
    throw new Broken(`${status} on ${operation.method} ${operation.path}`, describeResponse(answer));
  // The clause of the operation reports the fault; the other clauses need a valid body.
  if (findResponseFaults(answer).length > 0) {
    referred.add(`operations.${id}`);
    throw new NotChecked(`the answer is not in its schema: see operations.${id}`);
  }
  return answer.body as ReplyOf<Id>;
}

/** Calls the operation and expects one of the statuses and, if given, the code. Throws Broken otherwise. */
export async function expectRefusal(
  { client }: Pick<Session, 'client'>,
  id: OperationId,
  call: ApiCall,
  statuses: readonly number[],
  code?: string,
): Promise<ApiResponse> {
  const operation: Operation = operations[id];
  const answer = await client.call(operation, call);
  if (answer.status === 403 && !statuses.includes(401)) throw new NotChecked('the key may not do this: 403');
  if (!statuses.includes(404)) assertLive(answer);
  if (!statuses.includes(answer.status) || (code !== undefined && errorCodeOf(answer) !== code)) {
    const expected = [statuses.length > 20 ? '4xx' : statuses.join(' or '), code].filter(Boolean).join(' ');
    throw new Broken(`${expected} on ${operation.method} ${operation.path}`, describeResponse(answer));
  }
  return answer;
}

/** All 4xx statuses but 429, for refusals without a status in the contract. */
export const anyRefusal: readonly number[] = Array.from({ length: 100 }, (_, n) => 400 + n).filter((n) => n !== 429);

/** Throws NotChecked for a `Coming soon` operation that the deployment has switched off. */
function assertLive({ operation, status }: ApiResponse): void {
  if (operation.label === 'Coming soon' && [404, 405, 501].includes(status)) {
    throw new NotChecked(`${operation.method} ${operation.path} is coming soon, and answers ${status} here`);
  }
}

/** Creates a shared resource once. If that fails, the clauses that need it are not checked. */
export function shareFixture<Value>({ fixtures }: Session, name: string, create: () => Promise<Value>): Promise<Value> {
  const fixture = fixtures.get(name) ?? create().catch((error) => Promise.reject(toNotChecked(name, error)));
  fixtures.set(name, fixture);
  return fixture as Promise<Value>;
}

function toNotChecked(name: string, error: unknown): unknown {
  return error instanceof Broken ? new NotChecked(`there is no ${name}: ${error.message}`, { cause: error }) : error;
}

/** Rejects with the original fault of the resource, for the clause that is about this resource. */
export function rethrowBroken<Value>(fixture: Promise<Value>): Promise<Value> {
  return fixture.catch((error) => {
    throw error instanceof NotChecked && error.cause instanceof Broken ? error.cause : error;
  });
}

/** Polls until `holds` or until the time is over. Returns the last value. */
export async function pollUntil<Value>(
  { options: { patience_ms = 10_000 } }: Session,
  read: () => Promise<Value>,
  holds: (value: Value) => boolean,
  wait_ms = patience_ms,
): Promise<Value> {
  for (const end = performance.now() + wait_ms; ; await pause(250)) {
    const value = await read();
    if (holds(value) || performance.now() > end) return value;
  }
}

export function idempotencyHeaders(key: string = randomUUID()): Record<string, string> {
  return { 'idempotency-key': key };
}
