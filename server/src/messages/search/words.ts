import { foldText } from '../../database/fold-text.ts';

const folded = /[\p{L}\p{N}\p{M}]+/gu;
// Folding removes tatweel and the invisible characters, so they do not end a word.
const written = /[\p{L}\p{N}\p{M}\p{Cf}\u0640]+/gu;

// The article, alone or behind a conjunction or a preposition; and "and", which Arabic writes without a space.
const article = /^(?:[وفبك]?ال|[وف]?لل)(?=..)/;
const and = /^و(?=...)/;

const mostLetters = 40;
const mostTerms = 1_000;
const mostWords = 16;

/** The folded words of a search. A message must have, for each, a term that begins with it. */
export function searchWords(q: string): string[] {
  return [...new Set(wordsOf(q))].slice(0, mostWords);
}

/** What a text is found by: its folded words, and Arabic ones without the article and "and" as well. */
export function termsOf(texts: readonly (string | null)[]): string[] {
  const terms = new Set<string>();
  for (const text of texts) {
    for (const word of text ? wordsOf(text) : []) {
      for (const term of termsOfWord(word)) terms.add(term);
      if (terms.size >= mostTerms) return [...terms];
    }
  }
  return [...terms];
}

export function hasWords(terms: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => terms.some((term) => term.startsWith(word)));
}

/** As `hasWords` of the terms of the texts. Most texts lack a word anywhere, which is seen before they are split. */
export function hasWordsIn(texts: readonly (string | null)[], words: readonly string[]): boolean {
  const folded = texts.map((text) => (text ? foldText(text) : ''));
  if (!words.every((word) => folded.some((text) => text.includes(word)))) return false;
  return hasWords(termsOf(texts), words);
}

export interface TextRange {
  start: number;
  /** Behind the last character. */
  end: number;
}

/** The places of the words in a text as it was written. */
export function placesOf(text: string, words: readonly string[]): TextRange[] {
  return [...text.matchAll(written)].flatMap(({ 0: token, index }) => {
    const terms = wordsOf(token).flatMap(termsOfWord);
    const isHit = terms.some((term) => words.some((word) => term.startsWith(word)));
    return isHit ? [{ start: index, end: index + token.length }] : [];
  });
}

function wordsOf(text: string): string[] {
  return Array.from(foldText(text).matchAll(folded), ([word]) => Array.from(word).slice(0, mostLetters).join(''));
}

function termsOfWord(word: string): string[] {
  const bare = [word.replace(article, ''), word.replace(and, '')];
  return [word, ...bare.filter((term) => term !== word)];
}
