import type { FoundMessage, MessageSearchPage } from '@majlis/console-api';
import { mostFoundMessages, mostSearchLetters } from '@majlis/console-api';
import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import { lowestIdAt, publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Resources } from '../../process/resources.ts';
import { describedBy, presentUnreadable } from '../unreadable-content.ts';
import type { Author } from './author.ts';
import { type Found, findIndexed, type MessageFilter, type SearchRange } from './find-matches.ts';
import { findUnindexed, readProgress } from './find-unindexed.ts';
import { snippetOf } from './snippet.ts';
import { searchWords } from './words.ts';

export interface MessageSearch {
  q: string;
  written_by?: Author | undefined;
  since?: string | undefined;
  until?: string | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

interface FoundRow {
  id: string;
  conversation_id: string;
  direction: string;
  kind: string;
  body: string | null;
  filename: string | null;
  created_at: Date;
  described: unknown;
  contact_name: string | null;
  contact_handle: string | null;
}

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const selectFound = statement<FoundRow>(`
  select m.id, m.conversation_id, m.direction, m.kind, m.body, m.filename, m.created_at, ${describedBy('m')} as described, k.name as contact_name,
    coalesce(c.identifier, (select i.identifier from contact_identities i
      where i.workspace_id = c.workspace_id and i.contact_id = c.contact_id and i.channel_type = c.channel_type
      order by i.created_at, i.identifier limit 1)) as contact_handle
  from unnest($2::uuid[]) as n (id)
  cross join lateral (select * from messages o where o.workspace_id = $1 and o.id = n.id offset 0) m
  join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
  join contacts k on k.workspace_id = c.workspace_id and k.id = c.contact_id
  order by m.id desc`);

/**
 * The messages with all words of `q`, newest first, in the conversations that the person may see. A page may be short where matches
 * are rare: its cursor goes on from where the search stopped.
 */
export async function searchMessages(
  { pool, config, cursors }: Pick<Resources, 'pool' | 'config' | 'cursors'>,
  viewer: Viewer,
  { cursor, limit, ...query }: MessageSearch,
): Promise<MessageSearchPage> {
  const { workspace_id, user_id } = viewer;
  if (query.q.length > mostSearchLetters) {
    throw invalid({ detail: `must not have more than ${mostSearchLetters} characters`, pointer: '/q' });
  }
  const scope = JSON.stringify(['searchMessages', user_id, query.q, query.written_by, query.since, query.until]);
  const position = cursor === undefined ? undefined : cursors.decode(cursor, { workspace_id, scope });
  if (cursor !== undefined && !position) throw invalid({ detail: 'is not a cursor of this list', pointer: '/cursor' });
  const words = searchWords(query.q);
  if (words.length === 0) return { data: [], has_more: false };
  const size = Math.min(limit ?? config.pageSizeDefault, mostFoundMessages);
  const range = { below: position?.[0] ?? belowOf(query.until), above: aboveOf(query.since) };
  const filter = { words, written_by: query.written_by };
  const { ids, below } = await find(pool, viewer, filter, range, size);
  const rows = await selectFound(pool, [workspace_id, ids]);
  // Finding the hits in a long text takes up to 30 ms.
  const data = await mapInSlices(rows, (row) => presentFound(row, words));
  if (below === undefined) return { data, has_more: false };
  return { data, next_cursor: cursors.encode({ workspace_id, scope, position: [below] }), has_more: true };
}

/** Up to `count` ids. Whatever the job indexes meanwhile is found once: what it had indexed before decides. */
async function find(
  connection: Connection,
  viewer: Viewer,
  filter: MessageFilter,
  range: SearchRange,
  count: number,
): Promise<Found> {
  const up_to = await readProgress(connection, viewer.workspace_id);
  const above = up_to && up_to > range.above ? up_to : range.above;
  const young = await findUnindexed(connection, viewer, filter, { ...range, above }, count);
  if (young.ids.length === count || up_to === undefined) return young;
  const old = await findIndexed(connection, viewer, filter, { ...range, up_to }, count - young.ids.length);
  return { ids: [...young.ids, ...old.ids], below: old.below };
}

const aboveOf = (since: string | undefined) => (since === undefined ? lowestId : lowestIdOf(since, '/since'));
const belowOf = (until: string | undefined) => (until === undefined ? highestId : lowestIdOf(until, '/until'));

function lowestIdOf(text: string, pointer: string): string {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw invalid({ detail: 'is no date and time', pointer });
  return lowestIdAt(moment);
}

function presentFound(row: FoundRow, words: readonly string[]): FoundMessage {
  const { contact_name, contact_handle, direction, kind } = row;
  return {
    message_id: publicId('message', row.id),
    conversation_id: publicId('conversation', row.conversation_id),
    ...(contact_name !== null && { contact_name }),
    ...(contact_handle !== null && { contact_handle }),
    direction,
    kind,
    ...snippetOf([row.body, row.filename], words),
    ...presentUnreadable(row.described),
    created_at: row.created_at.toISOString(),
  };
}
