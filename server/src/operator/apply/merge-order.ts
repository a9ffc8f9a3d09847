/**
 * Merges two orders of names: the given names take their given order, the others keep their positions. A new name follows the
 * given name before it, else precedes the one after it, else comes last.
 */
export function mergeOrder(stored: readonly string[], given: readonly string[]): string[] {
  const known = new Set(stored);
  const wanted = new Set(given);
  const reordered = given.filter((name) => known.has(name));
  let next = 0;
  const placed = stored.map((name) => (wanted.has(name) ? reordered[next++]! : name));
  let place = reordered.length > 0 ? placed.indexOf(reordered[0]!) : placed.length;
  for (const name of given) {
    if (known.has(name)) place = placed.indexOf(name) + 1;
    else placed.splice(place++, 0, name);
  }
  return placed;
}
