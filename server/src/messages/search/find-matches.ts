import { sql } from 'kysely';
import { isVisibleTo } from '../../conversations/is-visible-to.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import type { Connection } from '../../database/pool.ts';
import { run, statement } from '../../database/query.ts';
import { allOf, type SqlCondition } from '../../database/search-page.ts';
import type { Author } from './author.ts';

/** The messages that a search may show: below one id, and above another. */
export interface SearchRange {
  below: string;
  above: string;
}

export interface MessageFilter {
  /** Folded words, one at least. */
  words: readonly string[];
  written_by: Author | undefined;
}

interface SegmentRow {
  number: number;
  lowest_id: string;
}

/** Messages found, newest first, and the id below which the search has to go on. Undefined: nothing is left. */
export interface Found {
  ids: string[];
  below: string | undefined;
}

// One statement reads so many matches at a guess, and one request some more, however far they are spread.
const matchesPerStatement = 5_000;
const matchesPerRequest = 10_000;
const mostSegmentsPerStatement = 128;

// The segment that begins before the range may reach into it.
const selectSegments = statement<SegmentRow>(`
  select number, lowest_id from message_search_segments
  where workspace_id = $1 and lowest_id < $2 and lowest_id >= coalesce((
    select o.lowest_id from message_search_segments o
    where o.workspace_id = $1 and o.lowest_id <= $3 order by o.lowest_id desc limit 1), '00000000-0000-0000-0000-000000000000')
  order by lowest_id desc`);

/**
 * The newest matches among the indexed messages. Segments are read from the newest on, one first: a frequent word fills the page
 * there. Where one has few matches, the next statement reads more segments.
 */
export async function findIndexed(
  connection: Connection,
  viewer: Viewer,
  filter: MessageFilter,
  range: SearchRange & { up_to: string },
  count: number,
): Promise<Found> {
  const segments = await selectSegments(connection, [viewer.workspace_id, range.below, range.above]);
  const ids: string[] = [];
  let step = 1;
  let examined = 0;
  for (let at = 0; at < segments.length; ) {
    const part = segments.slice(at, at + step);
    at += part.length;
    const rows = await run(connection, matchesIn(viewer, filter, range, part, count - ids.length));
    for (const { message_id } of rows) if (message_id) ids.push(message_id);
    if (ids.length >= count) return { ids, below: ids.at(-1) };
    const { matches } = rows[0]!;
    examined += matches;
    if (examined >= matchesPerRequest && at < segments.length) return { ids, below: part.at(-1)!.lowest_id };
    const fitting = Math.floor((part.length * matchesPerStatement) / Math.max(matches, 1));
    step = Math.max(1, Math.min(part.length * 8, fitting, mostSegmentsPerStatement));
  }
  return { ids, below: undefined };
}

/**
 * The first `offset 0` keeps the range out of the index condition: with it in sight, the planner reads the messages of the range by
 * the primary key. The second one hides the order of the list for the same reason.
 */
function matchesIn(
  viewer: Viewer,
  { words, written_by }: MessageFilter,
  { below, above, up_to }: SearchRange & { up_to: string },
  segments: readonly SegmentRow[],
  count: number,
) {
  const queries = segments.map(({ number }) => words.map((word) => `'${number}.${word}':*`).join(' & '));
  const author: SqlCondition[] = written_by === undefined ? [] : [sql<boolean>`s.written_by = ${written_by}`];
  // Only for those who may not see all, because it reads the conversation of each match.
  const visible = viewer.own_teams_only
    ? sql`cross join lateral (select from conversations c
        where c.workspace_id = ${viewer.workspace_id} and c.id = f.conversation_id and ${isVisibleTo(viewer.user_id)}
        offset 0) c`
    : sql``;
  return sql<{ matches: number; message_id: string | null }>`
    with found as materialized (
      select f.message_id, f.conversation_id from unnest(${queries}::text[]) as q (terms) cross join lateral (
        select s.* from message_search s where ${allOf([sql`s.segment_terms @@ q.terms::tsquery`, ...author])} offset 0) f
      where f.workspace_id = ${viewer.workspace_id} and f.message_id < ${below}::uuid
        and f.message_id <= ${up_to}::uuid and f.message_id > ${above}::uuid
      offset 0
    ), shown as (
      select f.message_id from found f ${visible}
      order by f.message_id desc limit ${count})
    select t.matches, s.message_id from (select count(*)::int as matches from found) t left join shown s on true
    order by s.message_id desc`;
}
