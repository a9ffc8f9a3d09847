import type { Sender } from '../webhooks/sender.ts';
import type { ChatMessage } from '../world/message.ts';
import type { World } from '../world/world.ts';
import { findLines, type Line, languageOf } from './persona-lines.ts';
import { textOf } from './text-of.ts';
import { type CustomerMessage, writeMessage } from './write-message.ts';

/** A customer with a language and something to talk about. */
export type Persona = {
  /** The customer's number. */
  phone: string;
  name: string;
  language: 'en' | 'ar';
  /** The number of their order. */
  order?: string;
  place?: { latitude: number; longitude: number; name?: string; address?: string };
  /** What they write by themselves, one after the other. */
  openings?: string[];
};

export type PersonaOptions = {
  /** The business's number whose customers answer. */
  phone_number_id: string;
  personas: Persona[];
  /** Whether anybody is there to read what a customer writes by themselves; by default somebody is. */
  isSomebodyThere?: () => boolean;
  pace?: Partial<Pace>;
};

/** Milliseconds. The random generator of the simulator chooses between the ends of a range. */
export type Pace = {
  /** Between the reading of a message and the first letter of the answer. */
  thinking_ms: [number, number];
  letter_ms: number;
  most_typing_ms: number;
  /** Between two messages that customers write by themselves. */
  opening_ms: [number, number];
};

const usualPace: Pace = {
  thinking_ms: [2_000, 5_000],
  letter_ms: 90,
  most_typing_ms: 9_000,
  opening_ms: [60_000, 150_000],
};

// A business that answers by a machine could talk to personas for ever.
const mostAnswers = 8;
const answersWithinMs = 10 * 60_000;
/** A person who writes on a customer's phone has taken it over. */
const takenOverMs = 10 * 60_000;

type Talk = {
  waiting?: NodeJS.Timeout;
  /** The times of the last answers. */
  answered: number[];
  taken_over_until: number;
  /** How often a topic came up. */
  said: Map<number, number>;
};

const somewhere = { latitude: 23.5859, longitude: 58.4059, name: 'Al Khuwair', address: 'Way 3505, Muscat' };

/**
 * Lets the customers of a number answer what they have read, and sometimes write first. The customers without a persona answer in
 * the language of the business. Answers a function that ends it.
 */
export function playPersonas(world: World, sender: Sender, options: PersonaOptions): () => void {
  const { phone_number_id, isSomebodyThere = () => true } = options;
  const pace = { ...usualPace, ...options.pace };
  const personas = new Map(options.personas.map((persona) => [persona.phone.replace(/\D/g, ''), persona]));
  const talks = new Map<string, Talk>();
  const own = new Set<string>();
  const read = new Set<string>();
  const begun_at = world.now();
  let opening: NodeJS.Timeout;

  const between = ([least, most]: [number, number]) => least + world.random.next() * (most - least);
  const talkOf = (wa_id: string): Talk => {
    const known = talks.get(wa_id) ?? { answered: [], taken_over_until: 0, said: new Map() };
    talks.set(wa_id, known);
    return known;
  };

  function write(wa_id: string, message: Pick<CustomerMessage, 'type' | 'content'>): void {
    const number = world.numbers.get(phone_number_id);
    if (!number || !world.switches.personas) return;
    const name = personas.get(wa_id)?.name;
    const id = `wamid.persona${world.random.hex(24)}`;
    own.add(id);
    writeMessage(world, sender, number, { id, phone_number_id, from: wa_id, ...(name && { name }), ...message });
  }

  function onMessage(message: ChatMessage): void {
    if (message.phone_number_id !== phone_number_id || message.at < begun_at) return;
    const { direction, wa_id, id } = message;
    if (direction === 'inbound' && !own.has(id)) talkOf(wa_id).taken_over_until = Date.now() + takenOverMs;
    if (direction === 'inbound' || message.status !== 'read' || message.type === 'reaction' || read.has(id)) return;
    read.add(id);
    const talk = talkOf(wa_id);
    // One answer to several messages in a row.
    clearTimeout(talk.waiting);
    const line = chooseLine(talk, textOf(message), personas.get(wa_id)?.language);
    const letters = 'text' in line ? line.text.length : 0;
    const after_ms = between(pace.thinking_ms) + Math.min(letters * pace.letter_ms, pace.most_typing_ms);
    talk.waiting = setTimeout(() => answer(talk, message, line), after_ms).unref();
  }

  function answer(talk: Talk, message: ChatMessage, line: Line): void {
    const now = Date.now();
    talk.answered = talk.answered.filter((at) => now - at < answersWithinMs);
    if (talk.taken_over_until > now || talk.answered.length >= mostAnswers) return;
    talk.answered.push(now);
    write(message.wa_id, compose(line, message, personas.get(message.wa_id)));
  }

  function openLater(): void {
    opening = setTimeout(() => {
      if (isSomebodyThere()) openTalk();
      openLater();
    }, between(pace.opening_ms)).unref();
  }

  /** A customer who does not wait for an answer writes the next of their openings. */
  function openTalk(): void {
    const ready = [...personas].filter(([wa_id, { openings = [] }]) => {
      const last = world.messages.get(world.conversations.get(phone_number_id, wa_id)?.last_id ?? '');
      return openings.length > 0 && last?.direction !== 'inbound' && talkOf(wa_id).taken_over_until < Date.now();
    });
    const [wa_id, persona] = ready[Math.floor(world.random.next() * ready.length)] ?? [];
    const content = persona?.openings?.shift();
    if (wa_id && content) write(wa_id, { type: 'text', content });
  }

  world.changes.on('message', onMessage);
  openLater();
  return () => {
    world.changes.off('message', onMessage);
    clearTimeout(opening);
    for (const { waiting } of talks.values()) clearTimeout(waiting);
  };
}

/** The next line on the topic of the text, so that nobody says the same twice in a row. */
function chooseLine(talk: Talk, text: string, language = languageOf(text)): Line {
  const { topic, lines } = findLines(text, language);
  const times = talk.said.get(topic) ?? 0;
  talk.said.set(topic, times + 1);
  return lines[times % lines.length]!;
}

function compose(
  line: Line,
  { id }: ChatMessage,
  persona: Persona | undefined,
): Pick<CustomerMessage, 'type' | 'content'> {
  if ('react' in line) return { type: 'reaction', content: { message_id: id, emoji: line.react } };
  if ('place' in line) return { type: 'location', content: persona?.place ?? somewhere };
  return { type: 'text', content: line.text.replace('{order}', persona?.order ?? 'A-1042') };
}
