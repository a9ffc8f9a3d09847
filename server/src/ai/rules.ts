import { foldText } from '../database/fold-text.ts';
import { handOverWord } from './answers/prompts.ts';

/** What an agent does about what was written. The reason is for the team to read. */
export type AgentDecision = { type: 'answer'; text: string } | { type: 'hand_over'; reason: string };

/** An agent works unless its operator says that it does not, in the words that the contract has for workflows. */
export function isAtWork(status: string | null): boolean {
  return status === null || !['paused', 'draft'].includes(status.toLowerCase());
}

// Folded, as they are compared.
const person =
  '(human|person|people|agent|operator|representative|someone real|manager|staff|موظف|موظفه|انسان|بشر|بشري|شخص|ممثل|مدير|مسؤول|مسوول)';
const ask =
  '(talk|speak|chat|connect|transfer|put me|get me|give me|want|need|اتكلم|اكلم|كلم|التحدث|اتحدث|تحدث|التكلم|تحويل|تحويلي|حولني|حولوني|وصلني|اريد|ابغي|ابي|بدي|ودي|محتاج)';
const asking = new RegExp(`(?<!\\p{L})${ask}(?!\\p{L}).{0,40}(?<!\\p{L})(ال)?${person}(?!\\p{L})`, 'u');
const naming = new RegExp(`^(a |an |the |real |human |live |ال)*${person}( please| من فضلك| لو سمحت)?[.!?؟\\s]*$`, 'u');

/** Whether somebody asks for a person. Better once too often than once too little: a person can give it back. */
export function asksForPerson(text: string): boolean {
  return text.split('\n').some((line) => {
    const folded = foldText(line).trim();
    return asking.test(folded) || naming.test(folded);
  });
}

// What the channel takes in one message.
const longestAnswer = 4_096;
const longestReason = 200;

/** What the model wrote, as an answer that may be sent; it is not where it says that it must not be. */
export function readAnswer(text: string, rules: string): AgentDecision {
  if (text.includes(handOverWord)) return { type: 'hand_over', reason: 'it is not sure of the answer' };
  if (text.length > longestAnswer) return { type: 'hand_over', reason: 'its answer was too long to send' };
  if (repeats(text, rules)) {
    return { type: 'hand_over', reason: 'its answer told of its instructions instead of answering' };
  }
  return { type: 'answer', text };
}

/**
 * A model that can be talked into saying what it was told says a line of it word by word. What the business itself told it may well be
 * an answer; it comes out with our rules.
 */
function repeats(text: string, rules: string): boolean {
  const said = text.replace(/\s+/g, ' ');
  const lines = rules.replace(/\s+/g, ' ').split(/(?<=[.:])\s/);
  return lines.some((line) => line.length > 40 && said.includes(line.slice(0, 80)));
}

/** What a model says of why, for the team: it may repeat what a customer wrote, so it names nobody. */
export function tidyReason(reason: string): string {
  const line = reason.replaceAll('@', '').replace(/\s+/g, ' ').trim();
  return [...line].slice(0, longestReason).join('');
}
