import type { ConversationSummary } from '@majlis/contract';
import { isArabic, type TranscriptLine } from '../answers/transcript.ts';
import { splitSentences } from '../knowledge/split-text.ts';

const maxLineChars = 240;

/**
 * Summarises without a model by quotes: the first and the last line of the customer and the last line of the business. The
 * intent is the last question; the sentiment is unknown.
 */
export function extractSummary(lines: readonly TranscriptLine[]): ConversationSummary {
  const customers = lines.filter(({ from }) => from === 'customer');
  const quoted = new Set([customers[0], lines.findLast(({ from }) => from === 'business'), customers.at(-1)]);
  const words = isArabic(customers.map(({ text }) => text).join(' ')) ? arabic : english;
  const summary = lines
    .filter((line) => quoted.has(line))
    .map(({ from, text }) => `${words[from]}: ${shorten(text)}`)
    .join('\n');
  const questions = customers
    .flatMap(({ text }) => splitSentences(text))
    .filter((sentence) => /[?؟]\s*$/.test(sentence));
  return { summary, sentiment: 'unknown', intent: shorten(questions.at(-1) ?? 'unknown') };
}

const english = { customer: 'Customer', business: 'Business' };
const arabic = { customer: 'العميل', business: 'النشاط التجاري' };

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= maxLineChars
    ? line
    : `${letters
        .slice(0, maxLineChars)
        .join('')
        .replace(/\s+\S*$/, '')}…`;
}
