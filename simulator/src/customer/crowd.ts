import type { Sender } from '../webhooks/sender.ts';
import type { ChatMessage } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { tapButton } from './tap-button.ts';
import { textOf } from './text-of.ts';
import { type CustomerMessage, writeMessage } from './write-message.ts';

/** Customers with consecutive numbers who answer by one script. */
export type CrowdOptions = {
  phone_number_id: string;
  /** The first customer's number; the others count up from it. */
  first: string;
  size: number;
  /** Answers to a read message: the first that matches applies. */
  answers?: CrowdAnswer[];
  /** A first message of each customer, spread over `within_ms`. */
  opening?: { text: string; within_ms?: number };
};

export type CrowdAnswer = {
  /** A part of the business' text, ignoring case; absent: any text. */
  when?: string;
  /** The probability of the answer, from 0 to 1. */
  share?: number;
  /** Delay after the read, in milliseconds. */
  after_ms?: number;
} & ({ text: string } | { tap: number } | { react: string } | { silent: true });

export type Crowd = {
  options: CrowdOptions;
  /** Messages read, and answers to them. */
  counts: { read: number; answered: number };
  leave(): void;
};

/** Makes customers write and answer until `leave`. */
export function gatherCrowd(world: World, sender: Sender, options: CrowdOptions): Crowd {
  const { phone_number_id, size, answers = [], opening } = options;
  const first = BigInt(options.first.replace(/\D/g, ''));
  const counts = { read: 0, answered: 0 };
  const seen = new Set<string>();
  let active = true;
  const write = (wa_id: string, message: Pick<CustomerMessage, 'type' | 'content' | 'context_id'>) => {
    const number = world.numbers.get(phone_number_id);
    if (!active || number === undefined) return;
    writeMessage(world, sender, number, { phone_number_id, from: wa_id, name: nameOf(wa_id, first), ...message });
  };
  const onMessage = (message: ChatMessage) => {
    if (message.direction !== 'outbound' || message.status !== 'read' || seen.has(message.id)) return;
    if (message.phone_number_id !== phone_number_id || !isOfCrowd(message.wa_id, first, size)) return;
    seen.add(message.id);
    counts.read++;
    const text = textOf(message).toLowerCase();
    const answer = answers.find(({ when = '', share = 1 }) => {
      return text.includes(when.toLowerCase()) && world.random.next() < share;
    });
    const inbound = answer && inboundOf(answer, message);
    if (!inbound) return;
    counts.answered++;
    world.timers.after(answer.after_ms ?? 0, () => write(message.wa_id, inbound));
  };
  world.changes.on('message', onMessage);
  if (opening) {
    for (let n = 0; n < size; n++) {
      const wa_id = String(first + BigInt(n));
      const after_ms = Math.round(((opening.within_ms ?? 0) * n) / size);
      world.timers.after(after_ms, () => write(wa_id, { type: 'text', content: opening.text }));
    }
  }
  return {
    options,
    counts,
    leave() {
      active = false;
      world.changes.off('message', onMessage);
    },
  };
}

function isOfCrowd(wa_id: string, first: bigint, size: number): boolean {
  if (!/^\d+$/.test(wa_id)) return false;
  const place = BigInt(wa_id) - first;
  return place >= 0n && place < BigInt(size);
}

function nameOf(wa_id: string, first: bigint): string {
  return `Customer ${BigInt(wa_id) - first + 1n}`;
}

function inboundOf(
  answer: CrowdAnswer,
  message: ChatMessage,
): Pick<CustomerMessage, 'type' | 'content' | 'context_id'> | undefined {
  if ('silent' in answer) return undefined;
  if ('text' in answer) return { type: 'text', content: answer.text };
  if ('react' in answer) return { type: 'reaction', content: { message_id: message.id, emoji: answer.react } };
  const tap = tapButton(message, { index: answer.tap });
  return tap && { ...tap, context_id: message.id };
}
