import type { Operation } from '@majlis/contract';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import type { Caller } from '../authenticate.ts';
import { Refusal } from '../reply/refusal.ts';
import type { Request, WriteMany } from '../request.ts';
import { type Answer, type AnswerSubject, recall, remember, type WriteKey } from './stored-answers.ts';

/** The request of a write, with its idempotency key if the client sent one. */
export interface KeyedRequest<O extends Operation> {
  request: Request<O>;
  key: WriteKey | undefined;
}

/** Throws a refusal where the caller may not see what a stored answer is about any more. */
export type HoldAnswer = (tx: Transaction, caller: Caller, about: AnswerSubject) => Promise<void>;

/**
 * Performs writes in their transaction. A write with a known key gets its stored answer, if its caller may still see it. The others run, and the answers to
 * keyed ones are stored in the same commit. Refusals have no effect, so they are not stored.
 */
export async function performWrites<O extends Operation>(
  tx: Transaction,
  clock: Clock,
  writeMany: WriteMany<O>,
  requests: KeyedRequest<O>[],
  hold_answer?: HoldAnswer,
): Promise<(Answer | Refusal)[]> {
  const keys = requests.flatMap(({ key }) => key ?? []);
  const recalled = await recall(tx, keys, clock.now());
  const answers = new Map(keys.map((key, index) => [key, recalled[index]]));
  if (hold_answer) await refuseAnswers(tx, requests, answers, hold_answer);
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

/** Puts the refusal in the place of each stored answer that its caller may not see. */
async function refuseAnswers<O extends Operation>(
  tx: Transaction,
  requests: readonly KeyedRequest<O>[],
  answers: Map<WriteKey, Answer | Refusal | undefined>,
  hold_answer: HoldAnswer,
): Promise<void> {
  for (const { request, key } of requests) {
    const answer = key && answers.get(key);
    if (!answer || answer instanceof Refusal || !answer.about) continue;
    await hold_answer(tx, request.caller, answer.about).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      answers.set(key, error);
    });
  }
}
