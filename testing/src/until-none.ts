import { eventually } from './eventually.ts';

/** Waits until `count` is 0. Fails once it has not become less for `within_ms`, however long all of it takes. */
export async function untilNone(count: () => Promise<number>, within_ms = 120_000): Promise<void> {
  for (let fewest = Number.POSITIVE_INFINITY; fewest > 0; ) {
    const before = fewest;
    fewest = await eventually(count, (now) => now < before, within_ms);
  }
}
