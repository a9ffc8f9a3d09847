import type { ConversationSummary } from '@majlis/contract';
import { isArabic, type Line } from '../answers/transcript.ts';
import { sentencesOf } from '../knowledge/split-text.ts';

const longestLine = 240;

/**
 * A summary without a model, from the conversation's own words: how it began, what the business last said, and what the customer
 * said last. What the customer wants is the last question, if there is one; the mood nobody can tell.
 */
export function extractSummary(lines: readonly Line[]): ConversationSummary {
  const customers = lines.filter(({ from }) => from === 'customer');
  const chosen = new Set([customers[0], lines.findLast(({ from }) => from === 'business'), customers.at(-1)]);
  const words = isArabic(customers.map(({ text }) => text).join(' ')) ? arabic : english;
  const summary = lines
    .filter((line) => chosen.has(line))
    .map(({ from, text }) => `${words[from]}: ${shorten(text)}`)
    .join('\n');
  const questions = customers.flatMap(({ text }) => sentencesOf(text)).filter((sentence) => /[?؟]\s*$/.test(sentence));
  return { summary, sentiment: 'unknown', intent: shorten(questions.at(-1) ?? 'unknown') };
}

const english = { customer: 'Customer', business: 'Business' };
const arabic = { customer: 'العميل', business: 'النشاط التجاري' };

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= longestLine
    ? line
    : `${letters
        .slice(0, longestLine)
        .join('')
        .replace(/\s+\S*$/, '')}…`;
}
