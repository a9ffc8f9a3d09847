import { mostThreadItems, type ThreadItem, type ThreadMessage, type ThreadPage } from '@majlis/console-api';
import { requireConversation, type Viewer } from '../../conversations/require-conversation.ts';
import { parseId } from '../../database/ids.ts';
import type { Pool } from '../../database/pool.ts';
import { countWithin } from '../../http/page.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { listChanges } from './list-changes.ts';
import { listByIds, listStretch, type ThreadOf, type ThreadStretch } from './list-thread.ts';
import { presentThreadChange } from './present-change.ts';
import { presentThreadMessage } from './present-thread.ts';

export interface ThreadQuery {
  before?: string | undefined;
  after?: string | undefined;
  around?: string | undefined;
  limit?: number | undefined;
}

/** Lines that await something are told as of now. */
type ThreadAt = ThreadOf & { now: Date };

/** What was written and done in a conversation, oldest first. An id that names nothing any more still has its place. */
export async function readThread(
  { pool, config, clock }: Pick<Resources, 'pool' | 'config' | 'clock'>,
  viewer: Viewer,
  { conversation_id, ...query }: ThreadQuery & { conversation_id: string },
): Promise<ThreadPage> {
  const anchor = readAnchor(query);
  const id = await requireConversation(pool, viewer, conversation_id);
  const of = { workspace_id: viewer.workspace_id, conversation_id: id, now: clock.now() };
  const limit = Math.min(query.limit ?? config.pageSizeDefault, mostThreadItems);
  const count = anchor?.name === 'around' ? Math.ceil(limit / 2) : limit;
  const read = (stretch: Omit<ThreadStretch, 'count'>) =>
    readStretch(pool, of, { ...stretch, count }, config.pageBytesMax);
  const hasAny = async (direction: ThreadStretch['direction'], beyond: string, inclusive: boolean) =>
    (await listItems(pool, of, { direction, beyond, inclusive, count: 1 })).length > 0;

  if (!anchor || anchor.name === 'before') {
    const earlier = await read({ direction: 'earlier', beyond: anchor?.id });
    const has_later = anchor ? await hasAny('later', anchor.id, true) : false;
    return { data: earlier.items.reverse(), has_earlier: earlier.has_more, has_later };
  }
  if (anchor.name === 'after') {
    const later = await read({ direction: 'later', beyond: anchor.id });
    return { data: later.items, has_earlier: await hasAny('earlier', anchor.id, true), has_later: later.has_more };
  }
  const earlier = await read({ direction: 'earlier', beyond: anchor.id, inclusive: true });
  const later = await read({ direction: 'later', beyond: anchor.id });
  const data = [...earlier.items.reverse(), ...later.items];
  return { data, has_earlier: earlier.has_more, has_later: later.has_more };
}

/** Items from the nearest on, up to their number or their bytes. */
async function readStretch(
  pool: Pool,
  of: ThreadAt,
  stretch: ThreadStretch,
  most_bytes: number,
): Promise<{ items: ThreadItem[]; has_more: boolean }> {
  const found = await listItems(pool, of, { ...stretch, count: stretch.count + 1 });
  const items = found.slice(0, stretch.count);
  const within = items.slice(0, countWithin(items, most_bytes));
  return { items: within, has_more: within.length < found.length };
}

/** Messages and changes in one order, by their ids, from the nearest on. */
async function listItems(pool: Pool, of: ThreadAt, stretch: ThreadStretch): Promise<ThreadItem[]> {
  const [messages, changes] = await Promise.all([listStretch(pool, of, stretch), listChanges(pool, of, stretch)]);
  const items: { id: string; item: ThreadItem }[] = [
    ...messages.map((row) => ({ id: row.id, item: presentThreadMessage(row) })),
    ...changes.map((row) => ({ id: row.id, item: presentThreadChange(row, of.now) })),
  ];
  const sign = stretch.direction === 'earlier' ? -1 : 1;
  items.sort((a, b) => (a.id < b.id ? -sign : sign));
  return items.slice(0, stretch.count).map(({ item }) => item);
}

function readAnchor({ before, after, around }: ThreadQuery) {
  const [anchor, second] = Object.entries({ before, after, around }).filter(([, id]) => id !== undefined);
  if (!anchor) return undefined;
  const [name, text] = anchor as ['before' | 'after' | 'around', string];
  if (second) throw invalid({ detail: `is not given beside ${name}`, pointer: `/${second[0]}` });
  const id = parseItemId(text);
  if (!id) throw invalid({ detail: 'is no id of an item of a thread', pointer: `/${name}` });
  return { name, id };
}

function parseItemId(text: string): string | undefined {
  return parseId('message', text) ?? parseId('conversation_change', text);
}

/** Those of the named messages that the conversation still has, oldest first. */
export async function readThreadMessages(
  pool: Pool,
  viewer: Viewer,
  { conversation_id, ids }: { conversation_id: string; ids: string },
): Promise<ThreadMessage[]> {
  const named = [...new Set(ids.split(','))];
  if (named.length > mostThreadItems) {
    throw invalid({ detail: `must not have more than ${mostThreadItems} ids`, pointer: '/ids' });
  }
  const id = await requireConversation(pool, viewer, conversation_id);
  const of = { workspace_id: viewer.workspace_id, conversation_id: id };
  const messages = named.flatMap((text) => parseId('message', text) ?? []);
  return (await listByIds(pool, of, messages)).map(presentThreadMessage);
}
