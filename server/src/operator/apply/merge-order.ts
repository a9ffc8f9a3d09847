/**
 * The names of a list in their new order: those given stand to each other as given, the others stay where they were. A
 * new name follows the one given before it; where there is none, it stands before the one given after it, or last.
 */
export function mergeOrder(standing: readonly string[], given: readonly string[]): string[] {
  const known = new Set(standing);
  const wanted = new Set(given);
  const reordered = given.filter((name) => known.has(name));
  let next = 0;
  const placed = standing.map((name) => (wanted.has(name) ? reordered[next++]! : name));
  let place = reordered.length > 0 ? placed.indexOf(reordered[0]!) : placed.length;
  for (const name of given) {
    if (known.has(name)) place = placed.indexOf(name) + 1;
    else placed.splice(place++, 0, name);
  }
  return placed;
}
