/**
 * The seed of every test, so that two runs of one commit have the same input. FAULT_SEED takes another, such as the one
 * that a failed proof has printed: `npm run prove` draws its seeds.
 */
export const testSeed = Number(process.env.FAULT_SEED ?? 20_261_125);

/** Chance that can be repeated. */
export interface SeededRandom {
  readonly seed: number;
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function seededRandom(seed = testSeed): SeededRandom {
  let state = seed;
  // Mulberry32: enough to spread faults, and one line long.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return { seed, next, between, pick: (items) => items[between(0, items.length - 1)]! };
}
