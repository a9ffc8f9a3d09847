import type { Operation } from '@majlis/contract';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { Refusal } from '../reply/refusal.ts';
import type { Request, WriteMany } from '../request.ts';
import { type Answer, recall, remember, type WriteKey } from './stored-answers.ts';

/** The request of a write, with its idempotency key if the client sent one. */
export interface KeyedRequest<O extends Operation> {
  request: Request<O>;
  key: WriteKey | undefined;
}

/**
 * Performs writes in their transaction. A write with a known key gets its stored answer. The others run, and the answers to
 * keyed ones are stored in the same commit. Refusals have no effect, so they are not stored.
 */
export async function performWrites<O extends Operation>(
  tx: Transaction,
  clock: Clock,
  writeMany: WriteMany<O>,
  requests: KeyedRequest<O>[],
): Promise<(Answer | Refusal)[]> {
  const keys = requests.flatMap(({ key }) => key ?? []);
  const recalled = await recall(tx, keys, clock.now());
  const answers = new Map(keys.map((key, index) => [key, recalled[index]]));
  const fresh = requests.filter(({ key }) => !key || !answers.get(key));
  const results =
    fresh.length === 0
      ? []
      : await writeMany(
          tx,
          fresh.map(({ request }) => request),
        );
  const stored = fresh.flatMap(({ key }, index) => {
    const answer = results[index]!;
    return key && !(answer instanceof Refusal) ? [{ key, answer }] : [];
  });
  tx.pipeline(remember(tx, stored, clock.now()));
  const next = results.values();
  return requests.map(({ key }) => (key && answers.get(key)) ?? next.next().value!);
}
