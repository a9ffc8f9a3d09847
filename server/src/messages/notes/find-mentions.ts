import { foldText } from '../../database/fold-text.ts';

// Behind the sign: letters with their marks, digits, and what joins a name (O'Neil, Jean-Luc, marks of direction).
// Before it: nothing that could be the start of an e-mail address; save one of the letters that Arabic writes without a
// space before a name ("and", "to", "by").
const mention = /(?<![\p{L}\p{M}\p{N}_+%])[وفلبك]?@([\p{L}\p{M}\p{N}\p{Cf}'’_-]+)/gu;
const isWordCharacter = /[\p{L}\p{M}\p{N}]/u;

export interface Teammate {
  id: string;
  name: string;
}

/** The ids of all teammates whose first name stands behind an `@` of the text, in any case and spelling. */
export function findMentions(text: string, teammates: readonly Teammate[]): string[] {
  const byName = Map.groupBy(teammates, ({ name }) => foldText(firstNameOf(name)));
  byName.delete('');
  const found = [...text.normalize('NFKC').matchAll(mention)].flatMap(([, word]) => longestName(word!, byName) ?? []);
  return [...new Set(found.map(({ id }) => id))];
}

function firstNameOf(name: string): string {
  return name.trim().split(/\s+/u)[0]!;
}

/** Of `Omar-please` it is Omar who is meant, and of `Jean-Luc's` Jean-Luc: a name ends where a word does. */
function longestName(word: string, byName: ReadonlyMap<string, Teammate[]>): Teammate[] | undefined {
  for (let end = word.length; end > 0; end--) {
    if (end < word.length && isWordCharacter.test(word[end]!)) continue;
    const known = byName.get(foldText(word.slice(0, end)));
    if (known) return known;
  }
  return undefined;
}
