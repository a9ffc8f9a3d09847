import { createStore } from '../../live/create-store.ts';

export interface BulkProgress {
  done: number;
  total: number;
}

/** What is under way, for the bar that shows it. */
export const bulkStore = createStore<BulkProgress | undefined>(undefined);

export interface BulkResult<Done> {
  done: Done[];
  failed: { id: string; error: unknown }[];
}

// More would make the console of one person slow the others down.
const atOnce = 3;

/** Acts on each one by itself: a refusal of one stops no other. */
export async function runBulk<Done>(
  ids: readonly string[],
  act: (id: string) => Promise<Done>,
): Promise<BulkResult<Done>> {
  const result: BulkResult<Done> = { done: [], failed: [] };
  const waiting = [...ids];
  const tell = () => bulkStore.set({ done: result.done.length + result.failed.length, total: ids.length });
  tell();
  async function work(): Promise<void> {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        result.done.push(await act(id));
      } catch (error) {
        result.failed.push({ id, error });
      }
      tell();
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  bulkStore.set(undefined);
  return result;
}
