import type { InboxRow, ViewFilter } from '@majlis/console-api';
import { listConversations } from '../../conversations/list/list-conversations.ts';
import { readFilter } from '../../conversations/list/read-filter.ts';
import { presentConversation } from '../../conversations/present.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import { publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { listReadMarks } from '../read-marks.ts';
import { listSavedFilters } from '../saved-views.ts';
import type { Editor } from '../sharing.ts';
import type { InboxView } from './inbox-view.ts';
import {
  listMentioned,
  listRanged,
  listSnoozed,
  type PlacedRow,
  placeRanged,
  showPlaced,
  type ViewPage,
  type ViewRow,
  withPlace,
} from './list-view.ts';
import { ownFilter } from './saved-filter.ts';

/** One page of a view, in its order. */
export async function listView(
  connection: Connection,
  view: InboxView,
  viewer: Viewer & Editor,
  page: ViewPage,
): Promise<ViewRow[]> {
  switch (view.name) {
    case 'snoozed':
      return listSnoozed(connection, viewer, page);
    case 'mentions':
      return listMentioned(connection, viewer, page);
    case 'saved':
      return listSaved(connection, view.id, viewer, page);
    case 'filter':
      return listFiltered(connection, view.filter, viewer, page);
    case 'team': {
      const [team] = await selectTeam(connection, [viewer.workspace_id, view.id]);
      if (!team) throw new Refusal('not_found');
      return listRanged(connection, view, viewer, page);
    }
    default:
      return listRanged(connection, view, viewer, page);
  }
}

const ranged = ['mine', 'unassigned', 'all', 'closed'] as const;

/** One page of a view: its places, and the rows of those that are wanted, by default of all. */
export async function listPart(
  connection: Connection,
  view: InboxView,
  viewer: Viewer & Editor,
  page: ViewPage,
  wanted?: ReadonlySet<string>,
): Promise<{ placed: PlacedRow[]; rows: ViewRow[] }> {
  const isWanted = ({ id }: PlacedRow) => !wanted || wanted.has(id);
  const name = wanted && ranged.find((one) => one === view.name);
  if (!name) {
    const rows = await listView(connection, view, viewer, page);
    return { placed: rows, rows: rows.filter(isWanted) };
  }
  const placed = await placeRanged(connection, { name }, viewer, page);
  return { placed, rows: await showPlaced(connection, viewer, placed.filter(isWanted)) };
}

const selectTeam = statement<{ found: boolean }>(`
  select true as found from teams where workspace_id = $1 and id = $2 and removed_at is null`);

async function listSaved(
  connection: Connection,
  id: string,
  viewer: Viewer & Editor,
  page: ViewPage,
): Promise<ViewRow[]> {
  const [saved] = await listSavedFilters(connection, viewer, id);
  if (!saved) throw new Refusal('not_found');
  return listFiltered(connection, saved.filter, viewer, page);
}

async function listFiltered(
  connection: Connection,
  given: ViewFilter,
  viewer: Viewer & Editor,
  page: ViewPage,
): Promise<ViewRow[]> {
  const filter = readFilter(ownFilter(given, viewer), viewer);
  if (!filter) return [];
  const { now, count } = page;
  const after = page.after && { last_message_at: page.after[0], id: page.after[1] };
  return (await listConversations(connection, viewer.workspace_id, filter, { now, after, count })).map(withPlace);
}

interface Preview {
  conversation_id: string;
  direction: string | null;
  kind: string;
  body: string | null;
  created_at: Date;
  status: string | null;
  actor_kind: string | null;
  actor_id: string | null;
  has_draft: boolean;
  has_scheduled: boolean;
}

// A note is no message of the conversation: it does not move its row. All look-ups are by key: with a list of ids, a database that
// was never analysed reads the whole workspace.
const selectPreviews = statement<Preview>(`
  select c.id as conversation_id, m.direction, m.kind, m.body, m.created_at, m.status, m.actor_kind,
    m.actor_id, exists (
    select from drafts d where d.workspace_id = $1 and d.user_id = $2 and d.conversation_id = c.id) as has_draft, exists (
    select from scheduled_messages s where s.workspace_id = $1 and s.conversation_id = c.id
      and s.state in ('scheduled', 'failed')) as has_scheduled
  from unnest($3::uuid[]) n (id) cross join lateral (
    select id, last_customer_message_id, last_business_message_id from conversations o
    where o.workspace_id = $1 and o.id = n.id offset 0
  ) c left join lateral (
    select o.direction, o.kind, left(o.body, 160) as body, o.created_at, o.status, o.actor_id,
      case when o.actor_kind is null and o.content ->> 'by_platform_agent' = 'true' then 'platform_agent'
        else o.actor_kind end as actor_kind
    from messages o
    where o.workspace_id = $1 and o.id = greatest(c.last_customer_message_id, c.last_business_message_id) offset 0
  ) m on true`);

/** The rows as the inbox shows them to the person. */
export async function presentRows(
  connection: Connection,
  viewer: Viewer,
  rows: readonly ViewRow[],
): Promise<Map<string, InboxRow>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const { workspace_id, user_id } = viewer;
  const [marks, previews] = await Promise.all([
    listReadMarks(connection, viewer, ids),
    selectPreviews(connection, [workspace_id, user_id, ids]),
  ]);
  const markOf = new Map(marks.map(({ conversation_id, ...mark }) => [conversation_id, mark]));
  const previewOf = new Map(previews.map((preview) => [preview.conversation_id, preview]));
  return new Map(
    rows.map((row) => {
      const preview = previewOf.get(row.id);
      const shown = preview && presentPreview(preview);
      const conversation = presentConversation(row);
      const { unread_count = 0, last_read_message_id } = markOf.get(conversation.id) ?? {};
      return [
        row.id,
        {
          conversation,
          ...(shown && { preview: shown }),
          own_unread_count: unread_count,
          ...(last_read_message_id && { last_read_message_id }),
          has_draft: preview?.has_draft ?? false,
          has_scheduled: preview?.has_scheduled ?? false,
        },
      ];
    }),
  );
}

/** Undefined where nothing was written yet. */
function presentPreview({
  direction,
  kind,
  body,
  created_at,
  status,
  actor_kind,
  actor_id,
}: Preview): InboxRow['preview'] {
  if (direction === null) return undefined;
  return {
    direction,
    kind,
    ...(body !== null && { body }),
    created_at: created_at.toISOString(),
    ...(status !== null && { status }),
    ...(actor_kind !== null && { actor_kind }),
    ...(actor_kind === 'user' && actor_id && { user_id: publicId('user', actor_id) }),
  };
}
