import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Operation, type OperationId, operations } from '@majlis/contract';
import type { Static, TSchema } from 'typebox';
import { type Answer, codeOf, describeAnswer } from './answer.ts';
import { type Call, type Client, createClient } from './client.ts';
import type { ConformOptions } from './options.ts';
import { schemaFaults } from './schema-faults.ts';
import { Broken, NotChecked } from './verdict.ts';

type ReplyOf<Id extends OperationId> = (typeof operations)[Id]['reply'] extends { body: infer Body extends TSchema }
  ? Static<Body>
  : undefined;

/** One run: the client, what it has made, and what was answered so far. */
export interface Session {
  options: ConformOptions;
  client: Client;
  /** In the name of everything that the run makes; no two runs have the same. */
  mark: string;
  answers: Answer[];
  /** Undoes what clauses did, last first. Answers what could not be undone. */
  cleanUps: (() => Promise<string | undefined>)[];
  /** What stays behind, in words. */
  leaves: Set<string>;
  /** Things that several clauses need, made once. */
  made: Map<string, Promise<unknown>>;
  /** That this run has drawn; see `drawNumber`. */
  numbers: Set<string>;
  /** Clauses that tell why others could not be checked: they are judged too, whatever `only` names. */
  referred: Set<string>;
  /** Hidden wherever they would stand in the report. */
  secrets: Set<string>;
}

export function openSession(options: ConformOptions): Session {
  const answers: Answer[] = [];
  const secrets = new Set([options.key, ...(options.second_key ? [options.second_key] : [])]);
  return {
    options,
    client: createClient(options.url, options.key, (answer) => answers.push(answer)),
    mark: `conform-${randomBytes(4).toString('hex')}`,
    answers,
    cleanUps: [],
    leaves: new Set(),
    made: new Map(),
    numbers: new Set(),
    referred: new Set(),
    secrets,
  };
}

/** The body of a success with this status, in the documented schema. */
export async function succeed<Id extends OperationId>(
  { client, referred }: Pick<Session, 'client' | 'referred'>,
  id: Id,
  call: Call = {},
  status: number = operations[id].reply.status,
): Promise<ReplyOf<Id>> {
  const operation: Operation = operations[id];
  const answer = await client.call(operation, call);
  if (answer.status === 403) throw new NotChecked('the key may not do this: 403');
  assertLive(answer);
  if (answer.status !== status)
    throw new Broken(`${status} on ${operation.method} ${operation.path}`, describeAnswer(answer));
  // The clause of the operation itself tells of it; the others cannot be judged by such an answer.
  if (schemaFaults(answer).length > 0) {
    referred.add(`operations.${id}`);
    throw new NotChecked(`the answer is not in its schema: see operations.${id}`);
  }
  return answer.body as ReplyOf<Id>;
}

/** The refusal of a call, with one of these statuses, and this code where one is given. */
export async function refused(
  { client }: Pick<Session, 'client'>,
  id: OperationId,
  call: Call,
  statuses: readonly number[],
  code?: string,
): Promise<Answer> {
  const operation: Operation = operations[id];
  const answer = await client.call(operation, call);
  if (answer.status === 403 && !statuses.includes(401)) throw new NotChecked('the key may not do this: 403');
  if (!statuses.includes(404)) assertLive(answer);
  if (!statuses.includes(answer.status) || (code !== undefined && codeOf(answer) !== code)) {
    const expected = [statuses.length > 20 ? '4xx' : statuses.join(' or '), code].filter(Boolean).join(' ');
    throw new Broken(`${expected} on ${operation.method} ${operation.path}`, describeAnswer(answer));
  }
  return answer;
}

/** Any refusal that blames the request: where the contract names no status. */
export const anyRefusal: readonly number[] = Array.from({ length: 100 }, (_, n) => 400 + n).filter((n) => n !== 429);

/** What is designed and not live says nothing about the contract. */
function assertLive({ operation, status }: Answer): void {
  if (operation.label === 'Coming soon' && [404, 405, 501].includes(status)) {
    throw new NotChecked(`${operation.method} ${operation.path} is coming soon, and answers ${status} here`);
  }
}

/** Makes something that several clauses need, once. Where it cannot be made, none of them is checked. */
export function shared<Value>({ made }: Session, name: string, make: () => Promise<Value>): Promise<Value> {
  const begun = made.get(name) ?? make().catch((error) => Promise.reject(asReason(name, error)));
  made.set(name, begun);
  return begun as Promise<Value>;
}

function asReason(name: string, error: unknown): unknown {
  return error instanceof Broken ? new NotChecked(`there is no ${name}: ${error.message}`, { cause: error }) : error;
}

/** For the clause whose own subject is what could not be made: there it is a fault. */
export function ownFault<Value>(made: Promise<Value>): Promise<Value> {
  return made.catch((error) => {
    throw error instanceof NotChecked && error.cause instanceof Broken ? error.cause : error;
  });
}

/** Asks until it is so, or until patience ends; answers what came last. */
export async function until<Value>(
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

export function idempotent(key: string = randomUUID()): Record<string, string> {
  return { 'idempotency-key': key };
}
