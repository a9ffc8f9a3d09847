import { foldText } from '../../database/fold-text.ts';

// After the sign: letters with their marks, digits, and characters within names (O'Neil, Jean-Luc, direction marks).
// Before it: no character of an e-mail address, except a letter that Arabic writes without a space before a name
// ("and", "to", "by").
const mention = /(?<![\p{L}\p{M}\p{N}_+%])[وفلبك]?@([\p{L}\p{M}\p{N}\p{Cf}'’_-]+)/gu;
const isWordCharacter = /[\p{L}\p{M}\p{N}]/u;

interface Teammate {
  id: string;
  name: string;
}

/** The ids of all teammates whose first name follows an `@` of the text, in any case and spelling. */
export function findMentions(text: string, teammates: readonly Teammate[]): string[] {
  const byName = Map.groupBy(teammates, ({ name }) => foldText(firstNameOf(name)));
  byName.delete('');
  const found = [...text.normalize('NFKC').matchAll(mention)].flatMap(([, word]) => longestName(word!, byName) ?? []);
  return [...new Set(found.map(({ id }) => id))];
}

function firstNameOf(name: string): string {
  return name.trim().split(/\s+/u)[0]!;
}

/** The longest name that ends where a word ends: Omar of `Omar-please`, Jean-Luc of `Jean-Luc's`. */
function longestName(word: string, byName: ReadonlyMap<string, Teammate[]>): Teammate[] | undefined {
  for (let end = word.length; end > 0; end--) {
    if (end < word.length && isWordCharacter.test(word[end]!)) continue;
    const known = byName.get(foldText(word.slice(0, end)));
    if (known) return known;
  }
  return undefined;
}
