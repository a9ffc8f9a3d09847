import { setImmediate as endOfTurn } from 'node:timers/promises';

const sliceMs = 10;

/** Maps a long list, and lets the process serve other requests every few milliseconds (hazard H109). */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let ends_at = performance.now() + sliceMs;
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    if (performance.now() < ends_at) continue;
    await endOfTurn();
    ends_at = performance.now() + sliceMs;
  }
  return results;
}
