import type { ViewFilter } from '@majlis/console-api';
import { listConversations } from '../../conversations/list/list-conversations.ts';
import { readFilter } from '../../conversations/list/read-filter.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { Refusal } from '../../http/reply/refusal.ts';
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
