import type { Operation } from '@majlis/contract';
import type { Static, TSchema } from 'typebox';
import type { Transaction } from '../database/transaction.ts';
import type { Caller } from './authenticate.ts';
import type { Answer } from './idempotency/stored-answers.ts';
import type { Refusal } from './reply/refusal.ts';

/** A request that passed the hallway: its caller may make it, within the limits, and its parts fit their schemas. */
export interface Request<O extends Operation> {
  caller: Caller;
  params: StaticOf<O['params']>;
  query: StaticOf<O['query']>;
  body: StaticOf<O['body']>;
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** Reads and answers the reply's body. Opens no transaction. */
export type Read<O extends Operation> = (request: Request<O>) => Promise<StaticOf<O['reply']['body']>>;

/** One write: what it does and its idempotency key commit together, or it throws and nothing is done. */
export type Write<O extends Operation> = (tx: Transaction, request: Request<O>) => Promise<Answer>;

/** A write that is more than one transaction. */
export type Perform<O extends Operation> = (request: Request<O>) => Promise<Answer>;

/** Many writes in one transaction, each with its own answer or refusal; a refused one must have done nothing. */
export type WriteMany<O extends Operation> = (tx: Transaction, requests: Request<O>[]) => Promise<(Answer | Refusal)[]>;
