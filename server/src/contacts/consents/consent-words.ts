import type { ErrorDetail } from '@majlis/contract';
import { foldText } from '../../database/fold-text.ts';

export interface ConsentWords {
  stop_words: string[];
  start_words: string[];
}

/** Nothing grants a consent again by default: a customer may write "start" for other reasons. */
export const defaultWords: ConsentWords = {
  stop_words: [
    ...['stop', 'stop all', 'stopall', 'unsubscribe', 'opt out', 'stop promotions'],
    ...['إيقاف', 'توقف', 'إلغاء الاشتراك', 'أوقف الرسائل', 'إيقاف الرسائل'],
  ],
  start_words: [],
};

export const mostWords = 50;
export const longestWord = 60;

// What may stand around a word: punctuation and symbols such as emoji, but no question mark.
const around = '[\\s\\p{P}\\p{S}]--[?؟¿]';
const outer = new RegExp(`^[${around}]+|(?<![${around}])[${around}]+$`, 'gv');

/**
 * A text as it is compared: folded, in single spaces, without what stands around it. A text of emoji alone is compared as it is.
 */
export function foldWord(text: string): string {
  const folded = foldText(text).replace(/\s+/g, ' ').trim();
  const word = folded.replace(outer, '');
  return word === '' && /\p{S}/u.test(folded) ? folded : word;
}

/** Whether the whole text is one of the words. "stop by tomorrow" is none. */
export function decisionIn(text: string, { stop_words, start_words }: ConsentWords): boolean | undefined {
  // No word is longer, in any spelling of it.
  if (text.length > 4 * longestWord) return undefined;
  const folded = foldWord(text);
  if (folded === '') return undefined;
  if (stop_words.some((word) => foldWord(word) === folded)) return false;
  return start_words.some((word) => foldWord(word) === folded) ? true : undefined;
}

/** The words as stored: each once. A fault names the list. */
export function readWords(given: ConsentWords): ConsentWords | ErrorDetail {
  const read = { stop_words: distinct(given.stop_words), start_words: distinct(given.start_words) };
  for (const name of ['stop_words', 'start_words'] as const) {
    const pointer = `/${name}`;
    if (read[name].length > mostWords) return { detail: `has more than ${mostWords} texts`, pointer };
    for (const word of read[name]) {
      if (foldWord(word) === '') return { detail: 'has a text without a letter', pointer };
      if (word.length > longestWord) return { detail: `has a text of more than ${longestWord} characters`, pointer };
    }
  }
  const stops = new Set(read.stop_words.map(foldWord));
  const both = read.start_words.find((word) => stops.has(foldWord(word)));
  if (both !== undefined) return { detail: 'has a text that stops messages too', pointer: '/start_words' };
  return read;
}

function distinct(words: readonly string[]): string[] {
  const byFolded = new Map<string, string>();
  for (const word of words) {
    const folded = foldWord(word);
    if (!byFolded.has(folded)) byFolded.set(folded, word.trim());
  }
  return [...byFolded.values()];
}
