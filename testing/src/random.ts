/** Numbers that look random and are the same in every run (mulberry32). */
export function createRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    /** From 0 up to, and without, `end`. */
    below: (end: number) => Math.floor(next() * end),
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!,
  };
}
