import type { SavedView, ViewFilter } from '@majlis/console-api';
import { sql } from 'kysely';
import { isContactVisibleTo } from '../conversations/is-visible-to.ts';
import type { Viewer } from '../conversations/require-conversation.ts';
import { newId, parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';
import type { SqlCondition } from '../database/search-page.ts';
import type { Transaction } from '../database/transaction.ts';
import { digestOf } from '../http/digest-of.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireText } from '../http/require-text.ts';
import type { Clock } from '../process/clock.ts';
import type { Quotas } from '../process/quotas.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { type Editor, isUsableBy, lockGroup, publishChanges, refuseSharing } from './sharing.ts';
import { presentViewFilter, readViewFilter, type StoredFilter } from './view-filter.ts';

interface ViewRow {
  id: string;
  user_id: string | null;
  name: string;
  filter: unknown;
  contact_id: string | null;
}

/** The shared views, then the person's own, each group in its order. */
export async function listSavedViews(connection: Connection, editor: Editor & Viewer): Promise<SavedView[]> {
  const query = selectViews(editor)
    .orderBy('user_id', (order) => order.asc().nullsFirst())
    .orderBy('position');
  return (await run(connection, query)).map(presentView);
}

/** The filters of the views that the person may use, or of the one with this id. */
export async function listSavedFilters(
  connection: Connection,
  editor: Editor & Viewer,
  id?: string,
): Promise<{ id: string; filter: ViewFilter }[]> {
  const query = selectViews(editor);
  const rows = await run(connection, id === undefined ? query : query.where('id', '=', id));
  return rows.map((row) => ({ id: row.id, filter: presentView(row).filter }));
}

function selectViews(editor: Editor & Viewer) {
  return build
    .selectFrom('saved_views')
    .select(['id', 'user_id', 'name', 'filter', 'contact_id'])
    .where('workspace_id', '=', editor.workspace_id)
    .where(isUsableBy(editor))
    .where(isOfSeenContact(editor));
}

/** A shared view of one contact is only for those who see the contact. Whoever made a view for themselves keeps it. */
function isOfSeenContact({ own_teams_only, user_id }: Viewer): SqlCondition {
  if (!own_teams_only) return sql<boolean>`true`;
  const contact = sql`select from contacts c where c.workspace_id = saved_views.workspace_id and c.id = saved_views.contact_id`;
  return sql<boolean>`(user_id is not null or contact_id is null or exists (${contact} and ${isContactVisibleTo(user_id)}))`;
}

export interface NewView {
  name: string;
  shared?: boolean;
  filter: ViewFilter;
}

/** Saves a view at the end of its group. */
export async function createSavedView(
  tx: Transaction,
  clock: Clock,
  editor: Editor & Viewer,
  { name, shared = false, filter }: NewView,
  quotas: Quotas,
): Promise<SavedView> {
  refuseSharing(editor, shared);
  const { workspace_id, user_id } = editor;
  const stored = await readViewFilter(tx, editor, filter);
  const view = { id: newId(clock), user_id: shared ? null : user_id, name: requireText(name, '/name'), ...stored };
  await lockGroup(tx, editor, shared);
  const others = await listGroup(tx, workspace_id, view.user_id);
  const values = { workspace_id, ...view, filter: JSON.stringify(view.filter), position: others.length };
  const holder = { workspace_id, user_id: view.user_id, kind: 'saved_views' } as const;
  await withinQuota(tx, quotas, holder, () => run(tx, build.insertInto('saved_views').values(values)));
  await publishChanges(tx, editor.workspace_id, 'saved_view', [view]);
  return presentView(view);
}

const selectShared = statement<{ name: string; filter: StoredFilter['filter'] }>(`
  select name, filter from saved_views where workspace_id = $1 and user_id is null and contact_id is null
  order by position, id`);

/** The views that everybody has, but for those of one contact. */
export const listSharedViews = (connection: Connection, workspace_id: string) =>
  selectShared(connection, [workspace_id]);

/** Saves a view that everybody has, on the operator's word. */
export async function seedSharedView(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { name, filter }: { name: string; filter: StoredFilter['filter'] },
): Promise<void> {
  const position = (await listGroup(tx, workspace_id, null)).length;
  const view = { id: newId(clock), user_id: null, name: requireText(name, '/name'), contact_id: null };
  const values = { workspace_id, ...view, filter: JSON.stringify(filter), position };
  await run(tx, build.insertInto('saved_views').values(values));
  await publishChanges(tx, workspace_id, 'saved_view', [view]);
}

export interface ViewChange {
  version?: string;
  name?: string;
  filter?: ViewFilter;
  position?: number;
}

/** Members that are not sent stay. Where somebody changed the view since `version`, nothing changes. */
export async function changeSavedView(
  tx: Transaction,
  editor: Editor & Viewer,
  public_id: string,
  { version, name, filter, position }: ViewChange,
  quotas: Quotas,
): Promise<SavedView> {
  const { workspace_id } = editor;
  const { user_id } = await requireView(tx, editor, public_id);
  await lockGroup(tx, editor, user_id === null);
  // As it is behind the lock.
  const found = await requireView(tx, editor, public_id);
  if (version !== undefined && version !== versionOf(found)) throw new Refusal('changed_meanwhile');
  const stored = filter && (await readViewFilter(tx, editor, filter));
  const view = { ...found, ...(name !== undefined && { name: requireText(name, '/name') }), ...stored };
  const query = build
    .updateTable('saved_views')
    .set({ name: view.name, filter: JSON.stringify(view.filter), contact_id: view.contact_id });
  const holder = { workspace_id, user_id: view.user_id, kind: 'saved_views' } as const;
  await withinQuota(tx, quotas, holder, () =>
    run(tx, query.where('workspace_id', '=', workspace_id).where('id', '=', view.id)),
  );
  if (position !== undefined) {
    const others = (await listGroup(tx, workspace_id, view.user_id)).filter((id) => id !== view.id);
    await setOrder(tx, [workspace_id, others.toSpliced(position, 0, view.id)]);
  }
  await publishChanges(tx, editor.workspace_id, 'saved_view', [view]);
  return presentView(view);
}

const setOrder = statement(`
  update saved_views v set position = o.place - 1
  from unnest($2::uuid[]) with ordinality as o (id, place)
  where v.workspace_id = $1 and v.id = o.id`);

export async function deleteSavedView(tx: Transaction, editor: Editor & Viewer, public_id: string): Promise<SavedView> {
  const view = await requireView(tx, editor, public_id);
  const query = build.deleteFrom('saved_views').where('workspace_id', '=', editor.workspace_id);
  await run(tx, query.where('id', '=', view.id));
  await publishChanges(tx, editor.workspace_id, 'saved_view', [view]);
  return presentView(view);
}

/** A view that the person may change: 404 for one of another person. */
async function requireView(tx: Transaction, editor: Editor & Viewer, public_id: string): Promise<ViewRow> {
  const id = parseId('saved_view', public_id);
  const view = id && (await runFirst(tx, selectViews(editor).where('id', '=', id)));
  if (!view) throw new Refusal('not_found');
  refuseSharing(editor, view.user_id === null);
  return view;
}

const selectGroup = statement<{ id: string }>(`
  select id from saved_views where workspace_id = $1 and user_id is not distinct from $2 order by position, id`);

async function listGroup(tx: Transaction, workspace_id: string, user_id: string | null): Promise<string[]> {
  return (await selectGroup(tx, [workspace_id, user_id])).map(({ id }) => id);
}

const versionOf = ({ id, name, filter, contact_id }: ViewRow): string => digestOf([id, name, filter, contact_id]);

function presentView(row: ViewRow): SavedView {
  const { id, user_id, name, filter, contact_id } = row;
  return {
    id: publicId('saved_view', id),
    name,
    shared: user_id === null,
    filter: presentViewFilter({ filter, contact_id } as StoredFilter),
    version: versionOf(row),
  };
}
