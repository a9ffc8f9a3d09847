import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { Refusal } from '../reply/refusal.ts';
import type { HoldAnswer } from './perform-writes.ts';
import { type Answer, recall, remember, type WriteKey } from './stored-answers.ts';

/** Performs one write in its transaction. With a known key it answers as before, if the caller may still see the answer. */
export async function performOnce(
  tx: Transaction,
  clock: Clock,
  key: WriteKey | undefined,
  write: () => Promise<Answer>,
  holdAnswer: (about: Parameters<HoldAnswer>[2]) => Promise<void>,
): Promise<Answer> {
  if (!key) return write();
  const [stored] = await recall(tx, [key], clock.now());
  if (stored instanceof Refusal) throw stored;
  if (stored) {
    if (stored.about) await holdAnswer(stored.about);
    return stored;
  }
  const answer = await write();
  await remember(tx, [{ key, answer }], clock.now());
  return answer;
}
