// One key alone comes to hold three quarters.
const share = 3;

/**
 * Whether a key may take one more place: with it, the key has at most three times as many as stay free. The first key comes to hold
 * three quarters, the next three quarters of the rest, and so on: none takes all, and a key without a place gets any free one. For
 * places that are held for long, where nobody can wait for a turn.
 */
export function hasShare({ places, taken, own }: { places: number; taken: number; own: number }): boolean {
  const free = places - taken - 1;
  return free >= 0 && (own === 0 || own + 1 <= share * free);
}
