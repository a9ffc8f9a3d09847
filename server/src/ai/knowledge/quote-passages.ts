import type { ReplyCompose, ReplyDraft } from '@majlis/contract';
import { isArabic } from '../answers/transcript.ts';
import type { Passage } from './find-passages.ts';
import { searchWords } from './search-words.ts';
import { sentencesOf } from './split-text.ts';

const longestQuote = 600;
// What fits hardly at all is no answer, and is not quoted beside what fits well.
const leastCoverage = 0.1;
const besideBest = 0.6;

/** A draft without a model: the sentences of the best passages that speak of what is asked for, as they stand there. */
export function quoteDraft(
  { tone }: ReplyCompose,
  asked: string,
  customer: string,
  passages: readonly Passage[],
): ReplyDraft {
  const arabic = isArabic(customer || asked);
  const best = passages[0]?.coverage ?? 0;
  const quoted = best < leastCoverage ? [] : passages.filter(({ coverage }) => coverage >= best * besideBest);
  const used = quoted.slice(0, tone === 'concise' ? 1 : 2);
  const quotes = used.map(({ body }) => quoteOf(body, asked, tone === 'concise' ? 1 : 4));
  const text = used.length > 0 ? quotes.join('\n\n') : arabic ? holding.ar : holding.en;
  return { draft: greet(tone, arabic, text), sources: [...new Set(used.map(({ source }) => source))] };
}

/** So many sentences around the one that has most of the words that are asked for, in their order. */
export function quoteOf(passage: string, asked: string, count: number): string {
  const words = new Set(searchWords(asked).split(' '));
  const sentences = sentencesOf(passage);
  const scores = sentences.map(
    (sentence) =>
      new Set(
        searchWords(sentence)
          .split(' ')
          .filter((word) => isAmong(word, words)),
      ).size,
  );
  const best = scores.indexOf(Math.max(...scores));
  let quote = sentences[best] ?? passage;
  for (let next = best + 1; next < Math.min(sentences.length, best + count); next++) {
    const longer = `${quote} ${sentences[next]}`;
    if (longer.length > longestQuote) break;
    quote = longer;
  }
  return quote;
}

/** Words of one family begin alike. */
function isAmong(word: string, words: ReadonlySet<string>): boolean {
  if (words.has(word)) return true;
  return word.length > 4 && [...words].some((other) => other.length > 4 && other.slice(0, 5) === word.slice(0, 5));
}

// Nothing is known of it: no fact is made up.
const holding = {
  ar: 'شكرًا لرسالتك. سنتحقق من الأمر ونرد عليك قريبًا.',
  en: 'Thank you for your message. We will look into it and come back to you shortly.',
};

function greet(tone: ReplyCompose['tone'], arabic: boolean, text: string): string {
  if (tone === 'friendly') return `${arabic ? 'أهلًا!' : 'Hello!'} ${text}`;
  if (tone === 'formal') return `${arabic ? 'تحية طيبة،' : 'Dear customer,'}\n\n${text}`;
  return text;
}
