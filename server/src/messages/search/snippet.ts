import { placesOf, type TextRange } from './words.ts';

const mostLetters = 160;
const lettersBefore = 40;
const mostPlaces = 20;

export interface Snippet {
  snippet: string;
  matches: TextRange[];
}

/** The part of a text around the first hit, in one line, with the places of the hits in it. */
export function snippetOf(texts: readonly (string | null)[], words: readonly string[]): Snippet {
  const given = texts.filter((text): text is string => Boolean(text));
  const found = given.map((text) => ({ text, places: placesOf(text, words) }));
  const { text, places } = found.find((one) => one.places.length > 0) ?? { text: given[0] ?? '', places: [] };
  const first = places[0]?.start ?? 0;
  const from = first > lettersBefore ? wordStart(text, first - lettersBefore, first) : 0;
  const to = whole(text, Math.min(text.length, from + mostLetters));
  const [before, after] = [from > 0 ? '…' : '', to < text.length ? '…' : ''];
  // Each character stands for one, so that the places stay.
  const snippet = before + text.slice(from, to).replaceAll(/\s/g, ' ') + after;
  const by = before.length - from;
  const shown = places.filter(({ start }) => start < to).slice(0, mostPlaces);
  return { snippet, matches: shown.map(({ start, end }) => ({ start: start + by, end: Math.min(end, to) + by })) };
}

/** The first beginning of a word from a place on, before the hit. */
function wordStart(text: string, from: number, hit: number): number {
  const space = text.slice(from, hit).search(/\s/);
  return space < 0 ? whole(text, from) : from + space + 1;
}

/** Not in the middle of a character of two units. */
function whole(text: string, place: number): number {
  return /[\udc00-\udfff]/.test(text[place] ?? '') ? place - 1 : place;
}
