import type { HeldTransaction } from './hold-transaction.ts';

/**
 * Holds the locks of the statement while `work` runs, and lets them go however it ends. `work` may release or commit them
 * before.
 */
export async function whileHeld<Result>(
  { hold }: { hold(sql: string): Promise<HeldTransaction> },
  sql: string,
  work: (held: HeldTransaction) => Promise<Result>,
): Promise<Result> {
  const held = await hold(sql);
  try {
    return await work(held);
  } finally {
    await held.release();
  }
}
