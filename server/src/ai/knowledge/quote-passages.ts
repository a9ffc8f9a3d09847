import type { ReplyCompose, ReplyDraft } from '@majlis/contract';
import { isArabic } from '../answers/transcript.ts';
import type { Passage } from './find-passages.ts';
import { searchWords } from './search-words.ts';
import { splitSentences } from './split-text.ts';

const maxQuoteChars = 600;
// A passage with little coverage is no answer, and is not quoted beside a much better one.
const minCoverage = 0.1;
const minShareOfBest = 0.6;

/** A draft without a model: quotes the sentences of the best passages that match the query. */
export function quoteDraft(
  { tone }: ReplyCompose,
  query: string,
  customer: string,
  passages: readonly Passage[],
): ReplyDraft {
  const arabic = isArabic(customer || query);
  const best = passages[0]?.coverage ?? 0;
  const quoted = best < minCoverage ? [] : passages.filter(({ coverage }) => coverage >= best * minShareOfBest);
  const used = quoted.slice(0, tone === 'concise' ? 1 : 2);
  const quotes = used.map(({ body }) => quotePassage(body, query, tone === 'concise' ? 1 : 4));
  const text = used.length > 0 ? quotes.join('\n\n') : arabic ? holdingReply.ar : holdingReply.en;
  return { draft: greet(tone, arabic, text), sources: [...new Set(used.map(({ source }) => source))] };
}

/** Quotes `count` sentences, from the sentence with most words of the query on. */
export function quotePassage(passage: string, query: string, count: number): string {
  const words = new Set(searchWords(query).split(' '));
  const sentences = splitSentences(passage);
  const scores = sentences.map(
    (sentence) =>
      new Set(
        searchWords(sentence)
          .split(' ')
          .filter((word) => matchesAny(word, words)),
      ).size,
  );
  const best = scores.indexOf(scores.reduce((most, score) => Math.max(most, score), 0));
  let quote = sentences[best] ?? passage;
  for (let next = best + 1; next < Math.min(sentences.length, best + count); next++) {
    const longer = `${quote} ${sentences[next]}`;
    if (longer.length > maxQuoteChars) break;
    quote = longer;
  }
  return quote;
}

/** Compares the first five letters, which related words often share. */
function matchesAny(word: string, words: ReadonlySet<string>): boolean {
  if (words.has(word)) return true;
  return word.length > 4 && [...words].some((other) => other.length > 4 && other.slice(0, 5) === word.slice(0, 5));
}

// The reply without matching knowledge: it states no facts.
const holdingReply = {
  ar: 'شكرًا لرسالتك. سنتحقق من الأمر ونرد عليك قريبًا.',
  en: 'Thank you for your message. We will look into it and come back to you shortly.',
};

function greet(tone: ReplyCompose['tone'], arabic: boolean, text: string): string {
  if (tone === 'friendly') return `${arabic ? 'أهلًا!' : 'Hello!'} ${text}`;
  if (tone === 'formal') return `${arabic ? 'تحية طيبة،' : 'Dear customer,'}\n\n${text}`;
  return text;
}
