import { compose, foldText } from '../../database/fold-text.ts';

// After the sign: letters with their marks, digits, and characters within names (O'Neil, Jean-Luc, direction marks).
// Before it: no character of an e-mail address, except a letter that Arabic writes without a space before a name
// ("and", "to", "by").
const mention = /(?<![\p{L}\p{M}\p{N}_+%])[وفلبك]?@([\p{L}\p{M}\p{N}\p{Cf}'’_-]+)/gu;
// The next character of each part is no word character, so a name may end there.
const wordPart = /[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu;

interface Teammate {
  id: string;
  name: string;
}

/** The ids of all teammates whose first name follows an `@` of the text, in any case and spelling. */
export function findMentions(text: string, teammates: readonly Teammate[]): string[] {
  const names = toTree(teammates);
  const found = [...compose(text).matchAll(mention)].flatMap(([, word]) => longestName(word!, names));
  return [...new Set(found)];
}

/** The folded first names, letter by letter. */
interface NameTree {
  next: Map<string, NameTree>;
  /** The teammates whose name ends here. */
  ids: string[];
}

function toTree(teammates: readonly Teammate[]): NameTree {
  const root: NameTree = { next: new Map(), ids: [] };
  for (const { id, name } of teammates) {
    let place = root;
    for (const letter of foldText(firstNameOf(name))) {
      if (!place.next.has(letter)) place.next.set(letter, { next: new Map(), ids: [] });
      place = place.next.get(letter)!;
    }
    if (place !== root) place.ids.push(id);
  }
  return root;
}

function firstNameOf(name: string): string {
  return name.trim().split(/\s+/u)[0]!;
}

/**
 * The teammates of the longest name that ends where a word ends: Omar of `Omar-please`, Jean-Luc of `Jean-Luc's`. One pass
 * over the word: folding each of its beginnings takes quadratic time (hazard H109).
 */
function longestName(word: string, names: NameTree): string[] {
  let place: NameTree = names;
  let found: string[] = [];
  for (const [part] of word.matchAll(wordPart)) {
    for (const letter of foldText(part)) {
      const next = place.next.get(letter);
      if (!next) return found;
      place = next;
    }
    if (place.ids.length > 0) found = place.ids;
  }
  return found;
}
