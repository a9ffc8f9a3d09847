import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../eventually.ts';
import type { AnyJson } from '../json.ts';
import { type OpenStream, openStream } from '../open-stream.ts';
import type { Member } from '../people.ts';

/** What a console keeps of a workspace, by the live stream alone after its first reading. */
export interface LiveMirror {
  /** Breaks the connection. What is written from now on is missed. */
  cut(): void;
  /** Connects again behind the last event; a refused or broken attempt is repeated. */
  resume(): Promise<void>;
  /** Waits until it equals a fresh reading. Answers what differs in the end. */
  differences(within_ms?: number): Promise<string[]>;
  resets(): number;
}

/** Opens a console of this person at the level of the protocol. */
export async function mirrorLive(majlis: { url: string }, person: Member): Promise<LiveMirror> {
  let conversations = new Map<string, AnyJson>();
  let messages = new Map<string, AnyJson>();
  let stream: OpenStream | undefined;
  let after: string | undefined;
  let resets = 0;
  let work = Promise.resolve();
  const untold = new Set<string>();

  async function readConversation(id: string): Promise<void> {
    const { status, body } = await person.at('GET', `/conversations/${id}`);
    if (status === 404) return drop(id);
    if (status !== 200) throw new Error(`a conversation answered ${status}`);
    if (!conversations.has(id)) for (const one of await readMessages(person, id)) messages.set(one.id, one);
    conversations.set(id, body);
  }
  async function readMessage(id: string): Promise<void> {
    const { status, body } = await person.at('GET', `/messages/${id}`);
    if (status === 404) messages.delete(id);
    else if (status === 200) messages.set(id, body);
    else throw new Error(`a message answered ${status}`);
  }
  function drop(conversation_id: string): void {
    conversations.delete(conversation_id);
    for (const [id, one] of messages) if (one.conversation_id === conversation_id) messages.delete(id);
  }
  async function readAgain(): Promise<void> {
    ({ conversations, messages } = await readEverything(person));
  }
  async function follow(event: AnyJson): Promise<void> {
    if (event.kind === 'reset') {
      resets++;
      return readAgain();
    }
    if (event.kind === 'removed') return drop(event.conversation_id);
    if (event.kind === 'row' && conversations.has(event.conversation_id)) {
      conversations.set(event.conversation_id, event.row.conversation);
      return;
    }
    if (event.message_id) await readMessage(event.message_id);
    if (event.conversation_id && !event.in_row) await readConversation(event.conversation_id);
    if (event.contact_id && !event.in_row) {
      const own = [...conversations.values()].filter(({ contact_id }) => contact_id === event.contact_id);
      for (const { id } of own) await readConversation(id);
    }
  }
  // Equal events that wait are one reading, as in a console. One behind a row or a removal is another reading: those may be older
  // than what an earlier one brings.
  function enqueue(event: AnyJson): void {
    const key = JSON.stringify({ ...event, status: undefined, kind: event.kind === 'status' ? 'message' : event.kind });
    if (event.kind === 'row' || event.kind === 'removed') untold.clear();
    else if (untold.has(key)) return;
    untold.add(key);
    work = work.then(() => {
      untold.delete(key);
      return untilAnswered(() => follow(event));
    });
  }
  async function connect(): Promise<void> {
    stream = await untilAnswered(() => openStream(majlis, person, after, enqueue));
  }

  await connect();
  work = work.then(readAgain);
  await work;
  return {
    cut() {
      after = stream?.id() ?? after;
      stream?.cut();
      stream = undefined;
    },
    resume: connect,
    resets: () => resets,
    async differences(within_ms) {
      let last: string[] = [];
      const read = async () => {
        await work;
        const before = { conversations, messages };
        last = compare(before, await readEverything(person));
        return last;
      };
      await eventually(read, ({ length }) => length === 0, within_ms).catch(() => {});
      return last;
    },
  };
}

/** Repeats a call while the service is away. */
async function untilAnswered<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

type State = Record<'conversations' | 'messages', Map<string, AnyJson>>;

async function readEverything(person: Member): Promise<State> {
  const conversations = new Map<string, AnyJson>();
  const messages = new Map<string, AnyJson>();
  for (const conversation of await readPages(person, '/conversations')) {
    conversations.set(conversation.id, conversation);
    for (const message of await readMessages(person, conversation.id)) messages.set(message.id, message);
  }
  return { conversations, messages };
}

const readMessages = (person: Member, id: string) => readPages(person, `/conversations/${id}/messages`);

async function readPages(person: Member, path: string): Promise<AnyJson[]> {
  const rows: AnyJson[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await person.at('GET', `${path}?limit=100${cursor}`);
    if (status === 404) return rows;
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    rows.push(...body.data);
    if (!body.has_more) return rows;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

function compare(mine: State, fresh: State): string[] {
  return (['conversations', 'messages'] as const).flatMap((name) =>
    [...new Set([...mine[name].keys(), ...fresh[name].keys()])]
      .filter((id) => !isDeepStrictEqual(mine[name].get(id), fresh[name].get(id)))
      .map(
        (id) => `${name} ${id}: ${JSON.stringify(mine[name].get(id))} is not ${JSON.stringify(fresh[name].get(id))}`,
      ),
  );
}
