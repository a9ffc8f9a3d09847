import type { HttpOperation, Operation } from '@majlis/contract';
import type { Static, TSchema } from 'typebox';
import type { Transaction } from '../database/transaction.ts';
import type { Caller } from './authenticate.ts';
import type { Answer } from './idempotency/stored-answers.ts';
import type { Refusal } from './reply/refusal.ts';

/** A request that passed the pipeline: authenticated, within its limits, and valid against its schemas. */
export interface Request<O extends HttpOperation> {
  caller: Caller;
  params: StaticOf<O['params']>;
  query: StaticOf<O['query']>;
  body: StaticOf<O['body']>;
  /** Of a write that takes one, if the client named it. */
  idempotency_key?: string | undefined;
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

/** A read that answers the reply's body without a transaction. */
export type Read<O extends Operation> = (request: Request<O>) => Promise<StaticOf<O['reply']['body']>>;

/** One write. Its effect and its idempotency key commit together, or it throws and has no effect. */
export type Write<O extends Operation> = (tx: Transaction, request: Request<O>) => Promise<Answer>;

/** Runs the transaction that takes effect: it holds the caller's rights until its end, and records the act. */
export type Transact = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** A write that does more than one transaction, as a call to elsewhere before it. */
export type Perform<O extends Operation> = (request: Request<O>, transact: Transact) => Promise<Answer>;

/** Many writes in one transaction, each with its own answer or refusal; a refused one must have done nothing. */
export type WriteMany<O extends Operation> = (tx: Transaction, requests: Request<O>[]) => Promise<(Answer | Refusal)[]>;
