import { foldText } from '../database/fold-text.ts';
import { maxTextChars } from '../messages/accept/find-platform-faults.ts';
import { handOverWord } from './answers/prompts.ts';

/** The reaction of an agent to a message. The team reads the reason. */
export type AgentDecision = AgentAnswer | { type: 'hand_over'; reason: string };

/** `sources`: the names of the knowledge that the agent read for it. */
export interface AgentAnswer {
  type: 'answer';
  text: string;
  sources: string[];
}

/** The contract names no statuses of agents. `paused` and `draft` mean the same as for workflows. */
export function isActive(status: string | null): boolean {
  return status === null || !['paused', 'draft'].includes(status.toLowerCase());
}

// Folded, like the text that is compared.
const personWords =
  '(human|person|people|agent|operator|representative|someone real|manager|staff|موظف|موظفه|انسان|بشر|بشري|شخص|ممثل|مدير|مسؤول|مسوول)';
const askWords =
  '(talk|speak|chat|connect|transfer|put me|get me|give me|want|need|اتكلم|اكلم|كلم|التحدث|اتحدث|تحدث|التكلم|تحويل|تحويلي|حولني|حولوني|وصلني|اريد|ابغي|ابي|بدي|ودي|محتاج)';
const requestPattern = new RegExp(
  `(?<!\\p{L})${askWords}(?!\\p{L}).{0,40}(?<!\\p{L})(ال)?${personWords}(?!\\p{L})`,
  'u',
);
const personPattern = new RegExp(
  `^(a |an |the |real |human |live |ال)*${personWords}( please| من فضلك| لو سمحت)?[.!?؟\\s]*$`,
  'u',
);

/** Whether a customer asks for a person. A false positive is better than a miss: a person can hand back. */
export function asksForPerson(text: string): boolean {
  return text.split('\n').some((line) => {
    const folded = foldText(line).trim();
    return requestPattern.test(folded) || personPattern.test(folded);
  });
}

const maxReasonChars = 200;

/** Checks whether the text of the model may be sent; otherwise hands over. */
export function checkAnswer(text: string, rules: string, sources: readonly string[]): AgentDecision {
  if (text.includes(handOverWord)) return { type: 'hand_over', reason: 'it is not sure of the answer' };
  if (repeatsRules(text, rules)) {
    return { type: 'hand_over', reason: 'its answer revealed its instructions' };
  }
  const sendable = text.length > maxTextChars ? cutAtSentence(text, maxTextChars) : text;
  if (!sendable) return { type: 'hand_over', reason: 'its answer was too long to send' };
  return { type: 'answer', text: sendable, sources: [...new Set(sources)] };
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The whole sentences among the first characters; empty where the first sentence is longer. */
function cutAtSentence(text: string, maxChars: number): string {
  const head = text.slice(0, maxChars);
  const starts = Array.from(sentences.segment(head), ({ index }) => index);
  return head.slice(0, starts.at(-1)).trimEnd();
}

/**
 * Whether the text repeats a line of our rules, as a model does that reveals its instructions. The instructions of the
 * business may appear in an answer; a leak of them contains our rules too.
 */
function repeatsRules(text: string, rules: string): boolean {
  const said = text.replace(/\s+/g, ' ');
  const lines = rules.replace(/\s+/g, ' ').split(/(?<=[.:])\s/);
  return lines.some((line) => line.length > 40 && said.includes(line.slice(0, 80)));
}

/** The reason of a model for the team, without mentions: it may repeat text of a customer. */
export function tidyReason(reason: string): string {
  const line = reason.replaceAll('@', '').replace(/\s+/g, ' ').trim();
  return [...line].slice(0, maxReasonChars).join('');
}
