import { refuseHidden } from '../conversations/refuse-hidden.ts';
import type { Transaction } from '../database/transaction.ts';
import { performOnce } from '../http/idempotency/perform-once.ts';
import type { Answer, WriteKey } from '../http/idempotency/stored-answers.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { PersonCaller } from './authenticate-person.ts';

/** Runs a write of a person in one transaction. With a known key they get its answer, if they may still see what it is about. */
export function writeOnce(
  { pool, clock }: Pick<Resources, 'pool' | 'clock'>,
  { caller, key }: { caller: PersonCaller; key: WriteKey | undefined },
  write: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  return transactionOf(caller, pool, (tx) =>
    performOnce(
      tx,
      clock,
      key,
      () => write(tx),
      (about) => refuseHidden(tx, caller, about),
    ),
  );
}
