import type { Operation } from '@majlis/contract';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { Refusal } from '../reply/refusal.ts';
import type { Request, WriteMany } from '../request.ts';
import { type Answer, recall, remember, type WriteKey } from './stored-answers.ts';

/** A write at the hallway's end: its request, and its idempotency key where one was sent. */
export interface Writing<O extends Operation> {
  request: Request<O>;
  key: WriteKey | undefined;
}

/**
 * Performs writes in their transaction: what was done before under the same key is answered from memory, the rest is
 * done, and the answers to keyed ones are remembered, all in one commit. Refusals act on nothing and are forgotten.
 */
export async function performWrites<O extends Operation>(
  tx: Transaction,
  clock: Clock,
  story: WriteMany<O>,
  writings: Writing<O>[],
): Promise<(Answer | Refusal)[]> {
  const answers = await recallAnswers(tx, clock, writings);
  const fresh = writings.filter((writing) => !answers.has(writing));
  if (fresh.length > 0) {
    const results = await story(
      tx,
      fresh.map((writing) => writing.request),
    );
    for (const [index, writing] of fresh.entries()) answers.set(writing, results[index]!);
  }
  const remembered = fresh.flatMap((writing) => toRemember(writing, answers.get(writing)!));
  tx.pipeline(remember(tx, remembered, clock.now()));
  return writings.map((writing) => answers.get(writing)!);
}

async function recallAnswers<O extends Operation>(
  tx: Transaction,
  clock: Clock,
  writings: Writing<O>[],
): Promise<Map<Writing<O>, Answer | Refusal>> {
  const keyed = writings.filter((writing) => writing.key);
  const recalled = await recall(
    tx,
    keyed.map((writing) => writing.key!),
    clock.now(),
  );
  const answers = new Map<Writing<O>, Answer | Refusal>();
  keyed.forEach((writing, index) => {
    const answer = recalled[index];
    if (answer) answers.set(writing, answer);
  });
  return answers;
}

function toRemember<O extends Operation>(
  { key }: Writing<O>,
  answer: Answer | Refusal,
): { key: WriteKey; answer: Answer }[] {
  return key && !(answer instanceof Refusal) ? [{ key, answer }] : [];
}
