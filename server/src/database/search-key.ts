import { type RawBuilder, sql } from 'kysely';
import { foldText } from './fold-text.ts';

// With LC_CTYPE C, as in the embedded database, pg_trgm ignores letters outside ASCII. It also takes no trigram from a pattern of
// two letters. So each folded letter is stored as a unit of two characters: one of j to y, then one of 0 to h. Letters outside the
// two blocks below are a z and five of 0 to h. Only the first character of a unit is beyond h, so a pattern of whole units
// matches only at the borders of units.
const blocks = [
  { first: 0x20, count: 95 },
  { first: 0x620, count: 193 },
];
const firsts = 'jklmnopqrstuvwxy';
const base = 18;
// Ends each text, so that a character beyond h follows every unit.
const end = 'i';

// A letter may fold to 18, and such a name would have a key of 18 times its length.
const mostLetters = 2_048;

/** Folds a name for searches. The servant names are written with and without a space: عبد الله, عبدالله. */
export function foldName(text: string): string {
  return foldText(text).replace(/(?<!\p{L})(\u0639\u0628\u062f)\s+(?=\u0627\u0644)/gu, '$1');
}

/** The search key of these texts. `holds` finds any part of each, in any locale of the database. */
export function searchKey(...texts: (string | null | undefined)[]): string {
  return texts.map((text) => (text ? `${encode(foldName(text).slice(0, mostLetters))}${end}` : '')).join('');
}

/** Whether a search key contains a folded text. A single letter gets a trigram from the beginning of the next unit. */
export function holds(key: RawBuilder<string>, folded: string): RawBuilder<boolean> {
  const units = encode(folded);
  if (units.length === 2) return sql`${key} ~ ${`${units}[i-z]`}`;
  const part = encode(selectivePart(folded));
  const isFound = sql<boolean>`${key} like ${`%${part}%`}`;
  return part === units ? isFound : sql`(${isFound} and strpos(${key}, ${units}) > 0)`;
}

/**
 * The letters of the index condition. Each further letter that most contacts share, as in the domain of an address, costs 1 to
 * 2 ms of processor time: a whole number 21 ms, its last eight digits 9 ms.
 */
function selectivePart(folded: string): string {
  const letters = Array.from(folded);
  const own = letters.slice(0, letters.indexOf('@') + 1);
  return (own.length >= 4 ? own : letters).slice(-8).join('');
}

function encode(folded: string): string {
  return Array.from(folded, (letter) => unitOf(letter.codePointAt(0)!)).join('');
}

function unitOf(point: number): string {
  let index = 0;
  for (const { first, count } of blocks) {
    if (point >= first && point < first + count) {
      index += point - first;
      return `${firsts[Math.floor(index / base)]}${(index % base).toString(base)}`;
    }
    index += count;
  }
  return `z${point.toString(base).padStart(5, '0')}`;
}
