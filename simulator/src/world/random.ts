import { getRandomValues } from 'node:crypto';

export type Rng = {
  /** A number in [0, 1). */
  next(): number;
  /** Upper-case hexadecimal digits. */
  hex(length: number): string;
  /** Decimal digits, the first of them not zero. */
  digits(length: number): string;
};

/** The generator sfc32. Random seeds keep the ids of two simulators apart; a given seed makes a run repeatable. */
export function makeRandom(seed?: number): Rng {
  const state =
    seed === undefined ? getRandomValues(new Uint32Array(4)) : Uint32Array.of(seed, 0x9e3779b9, seed >>> 7, 1);
  let [a, b, c, counter] = [state[0]! | 0, state[1]! | 0, state[2]! | 0, state[3]! | 0];

  function word(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  }
  // The first words still resemble the seed.
  for (let round = 0; round < 12; round++) word();

  return {
    next: () => word() / 0x1_0000_0000,
    hex(length) {
      let text = '';
      while (text.length < length) text += word().toString(16).padStart(8, '0');
      return text.slice(0, length).toUpperCase();
    },
    digits(length) {
      let text = String(1 + (word() % 9));
      while (text.length < length) text += String(word() % 1_000_000).padStart(6, '0');
      return text.slice(0, length);
    },
  };
}
