import { connectStream } from '@majlis/testing/open-stream';
import type { Member } from '@majlis/testing/people';
import { Agent, fetch, request } from 'undici';

/** As the console waits between two readings of one value. */
const betweenReadsMs = 200;
const betweenCountsMs = 4_000;
const mostAsked = 100;
const pageLength = 50;
/** How long a list becomes by rows that are told. */
const mostTold = 4 * pageLength;
const presenceMs = 12_000;

/** Reads a value again after each change, one reading at a time, as the console does. */
function follow(read: () => Promise<unknown>, betweenMs: number): () => void {
  let isStale = false;
  let isReading = false;
  return async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      await read();
      await new Promise((resolve) => setTimeout(resolve, betweenMs));
    }
    isReading = false;
  };
}

export interface ConsoleClient {
  /** Tells that the person views the conversation, until the client ends. */
  announce(): void;
  end(): void;
}

/** What a client does with the text of each answer, and how many answers it got. */
export interface Seen {
  text(body: string): void;
}

/**
 * A person at the console without a browser: a stream, the list of everything that is open, the counts of the views and an open
 * conversation. It reads what the console reads for each change, over compressed answers.
 */
export async function openConsoleClient(
  url: string,
  workspace_id: string,
  member: Member,
  conversation_id: string,
  seen: Seen,
): Promise<ConsoleClient> {
  const agent = new Agent({ connections: 6, pipelining: 1 });
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const at = `${url}/console/v1/workspaces/${workspace_id}`;
  let isEnded = false;

  async function get(path: string): Promise<string> {
    if (isEnded) return '';
    const answer = await fetch(`${at}${path}`, { headers, dispatcher: agent });
    const text = await answer.text();
    seen.text(text);
    return text;
  }
  /** The list as far as it was read, and what was told since. */
  let ids: string[] = [];
  let changed = new Set<string>();
  async function readList(): Promise<void> {
    const known = new Set(ids);
    let asked = ids.length > 0 ? changed : new Set<string>();
    changed = new Set();
    for (let turn = 0; turn < 2 && asked.size > 0 && asked.size <= mostAsked; turn++) {
      const path = `/inbox?view=all&limit=${pageLength}&rows_of=${[...asked].join()}`;
      const page: { ids: string[] } = JSON.parse((await get(path)) || '{"ids":[]}');
      const met = new Set([...known, ...asked]);
      asked = new Set(page.ids.filter((id) => !met.has(id)));
      ids = page.ids;
      if (asked.size === 0) return;
    }
    const { data } = JSON.parse((await get(`/inbox?view=all&limit=${pageLength}`)) || '{"data":[]}');
    ids = data.map((row: { conversation: { id: string } }) => row.conversation.id);
  }
  const list = follow(readList, betweenReadsMs);
  const counts = follow(() => get('/view-counts'), betweenCountsMs);
  const conversation = follow(() => get(`/conversations/${conversation_id}`), betweenReadsMs);
  const thread = follow(() => get(`/conversations/${conversation_id}/thread?limit=50`), betweenReadsMs);

  /** A told row stands first. A list that has grown by many is read again. */
  function take(id: string, text = ''): void {
    seen.text(text);
    ids = [id, ...ids.filter((one) => one !== id)];
    if (ids.length <= mostTold) return;
    changed.add(id);
    list();
  }
  const listed = new Set(['conversation', 'assignment', 'message', 'note', 'mention']);
  const stream = await connectStream({ url }, member, undefined, (event) => {
    const { kind, in_row } = event;
    if (kind === 'row') return take(event.conversation_id, event.row.preview?.body);
    if (listed.has(kind) && event.unread_count === undefined) {
      counts();
      if (!in_row) {
        changed.add(event.conversation_id!);
        list();
      }
    }
    if (event.conversation_id !== conversation_id) return;
    if (listed.has(kind) && !in_row) conversation();
    if (kind === 'message' || kind === 'status' || kind === 'note') thread();
  });
  list();
  counts();
  thread();

  let presence: ReturnType<typeof setInterval> | undefined;
  async function put(): Promise<void> {
    const { body } = await request(`${at}/conversations/${conversation_id}/presence`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
      dispatcher: agent,
    });
    await body.dump();
  }
  return {
    announce() {
      void put();
      presence = setInterval(() => void put(), presenceMs);
    },
    end() {
      isEnded = true;
      clearInterval(presence);
      stream.cut();
    },
  };
}
