import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { TemplateRow } from './present.ts';

/** A row of `templates`. An account has one template of each name and language. */
export interface StoredTemplate extends TemplateRow {
  workspace_id: string;
  waba_id: string;
  /** Null until the platform has confirmed the template. */
  platform_template_id: string | null;
  /** The category that the platform has announced. */
  coming_category: string | null;
  /** When it holds; null where the platform told no time. */
  category_changes_at: Date | null;
  /** How its variables are told apart: `named` or `positional`; null where the platform has not told it. */
  parameter_format: string | null;
  /** Whether a workspace file made it. */
  is_from_file: boolean;
}

const columns = `workspace_id, id, waba_id, platform_template_id, name, language, category, components, status,
  rejection_reason, quality, updated_at, coming_category, category_changes_at, parameter_format, is_from_file`;

/** A business account in a workspace. */
export interface AccountRef {
  workspace_id: string;
  waba_id: string;
}

/** The template of a job. */
export interface TemplateRef {
  workspace_id: string;
  template_id: string;
}

const selectAllForUpdate = statement<StoredTemplate>(`
  select ${columns} from templates
  where (workspace_id, waba_id) in (
    select workspace_id, waba_id from json_to_recordset($1) as a (workspace_id uuid, waba_id text))
  order by workspace_id, id
  for no key update`);

/** Locks all templates of these accounts, always in the same order. */
export function lockTemplates(connection: Connection, accounts: readonly AccountRef[]): Promise<StoredTemplate[]> {
  return selectAllForUpdate(connection, [JSON.stringify(accounts)]);
}

const selectForUpdate = statement<StoredTemplate>(`
  select ${columns} from templates where workspace_id = $1 and id = $2 for update`);

export async function lockTemplate(
  connection: Connection,
  { workspace_id, template_id }: TemplateRef,
): Promise<StoredTemplate | undefined> {
  return (await selectForUpdate(connection, [workspace_id, template_id]))[0];
}

export type UnconfirmedTemplate = Pick<StoredTemplate, 'waba_id' | 'name' | 'language' | 'category' | 'components'>;

const selectUnconfirmed = statement<UnconfirmedTemplate>(`
  select waba_id, name, language, category, components from templates
  where platform_template_id is null and status = 'approved'`);

/** Lists the approved templates of workspace files that no platform has confirmed, in all workspaces. */
export function listUnconfirmedTemplates(connection: Connection): Promise<UnconfirmedTemplate[]> {
  return selectUnconfirmed(connection, []);
}

const selectTemplate = statement<StoredTemplate>(
  `select ${columns} from templates where workspace_id = $1 and id = $2`,
);

export async function findStoredTemplate(
  connection: Connection,
  { workspace_id, template_id }: TemplateRef,
): Promise<StoredTemplate | undefined> {
  return (await selectTemplate(connection, [workspace_id, template_id]))[0];
}

// A template's first status is the first entry of its review history.
const insertRows = statement<{ id: string }>(`
  with inserted as (
    insert into templates (${columns})
    select ${columns} from json_populate_recordset(null::templates, $1)
    on conflict (workspace_id, waba_id, name, language) do nothing
    returning workspace_id, id, status, rejection_reason, updated_at
  ), reviewed as (
    insert into template_reviews (workspace_id, template_id, status, rejection_reason, updated_at)
    select workspace_id, id, status, rejection_reason, updated_at from inserted
  )
  select id from inserted`);

/** Answers the ids of the new templates; an existing one stays unchanged. */
export async function insertTemplates(
  connection: Connection,
  templates: readonly StoredTemplate[],
): Promise<Set<string>> {
  if (templates.length === 0) return new Set();
  const rows = await insertRows(connection, [JSON.stringify(templates)]);
  return new Set(rows.map((row) => row.id));
}

const updateRows = statement(`
  update templates t set platform_template_id = n.platform_template_id, category = n.category,
    components = n.components, status = n.status, rejection_reason = n.rejection_reason, quality = n.quality,
    updated_at = n.updated_at, coming_category = n.coming_category, category_changes_at = n.category_changes_at, parameter_format = n.parameter_format
  from json_populate_recordset(null::templates, $1) as n
  where t.workspace_id = n.workspace_id and t.id = n.id`);

export async function updateTemplates(connection: Connection, templates: readonly StoredTemplate[]): Promise<void> {
  if (templates.length > 0) await updateRows(connection, [JSON.stringify(templates)]);
}

const updateSubmitted = statement(`
  update templates set submitted_at = $3 where workspace_id = $1 and id = $2`);

/** Records when the platform accepted the template. */
export async function setSubmitted(
  connection: Connection,
  { workspace_id, template_id }: TemplateRef,
  submitted_at: Date,
): Promise<void> {
  await updateSubmitted(connection, [workspace_id, template_id, submitted_at]);
}

const selectSubmitted = statement<{ submitted_at: Date }>(`
  select submitted_at from templates where workspace_id = $1 and waba_id = $2 and submitted_at > $3
  order by submitted_at desc`);

/** When the platform accepted templates of the account since `after`; latest first. */
export async function listSubmissions(
  connection: Connection,
  { workspace_id, waba_id }: AccountRef,
  after: Date,
): Promise<Date[]> {
  const rows = await selectSubmitted(connection, [workspace_id, waba_id, after]);
  return rows.map(({ submitted_at }) => submitted_at);
}

const insertReviews = statement(`
  insert into template_reviews (workspace_id, template_id, status, rejection_reason, updated_at)
  select workspace_id, id, status, rejection_reason, updated_at from json_populate_recordset(null::templates, $1)`);

/** Appends the status of each template to its review history, in the order given. */
export async function addReviews(connection: Connection, templates: readonly StoredTemplate[]): Promise<void> {
  if (templates.length > 0) await insertReviews(connection, [JSON.stringify(templates)]);
}

const deleteRows = statement(`
  delete from templates t
  using json_to_recordset($1) as gone (workspace_id uuid, id uuid)
  where t.workspace_id = gone.workspace_id and t.id = gone.id`);

const deletedColumns = 'workspace_id, id, waba_id, name, language, platform_template_id, deleted_at, removed_at';

const insertDeleted = statement(`
  insert into deleted_templates (${deletedColumns})
  select ${deletedColumns} from json_populate_recordset(null::deleted_templates, $1)`);

/** A deleted template; `removed_at` is null until the platform no longer has it. */
export interface DeletedTemplate
  extends Pick<StoredTemplate, 'workspace_id' | 'id' | 'waba_id' | 'name' | 'language' | 'platform_template_id'> {
  deleted_at: Date;
  removed_at: Date | null;
}

/** Moves templates to `deleted_templates`. */
export async function deleteTemplates(connection: Connection, deleted: readonly DeletedTemplate[]): Promise<void> {
  if (deleted.length === 0) return;
  await deleteRows(connection, [JSON.stringify(deleted.map(({ workspace_id, id }) => ({ workspace_id, id })))]);
  await insertDeleted(connection, [JSON.stringify(deleted)]);
}

const selectDeletedOf = statement<DeletedTemplate>(`
  select ${deletedColumns} from deleted_templates where workspace_id = $1 and waba_id = $2`);

export function listDeleted(connection: Connection, { workspace_id, waba_id }: AccountRef): Promise<DeletedTemplate[]> {
  return selectDeletedOf(connection, [workspace_id, waba_id]);
}

const selectDeleted = statement<DeletedTemplate>(`
  select ${deletedColumns} from deleted_templates where workspace_id = $1 and id = $2`);

export async function findDeleted(
  connection: Connection,
  { workspace_id, template_id }: TemplateRef,
): Promise<DeletedTemplate | undefined> {
  return (await selectDeleted(connection, [workspace_id, template_id]))[0];
}

const deleteOld = statement(`
  delete from deleted_templates
  where workspace_id = $1 and waba_id = $2 and deleted_at <= $3 and removed_at is not null`);

/** Purges templates deleted until `until` that the platform no longer has. */
export async function purgeOld(
  connection: Connection,
  { workspace_id, waba_id }: AccountRef,
  until: Date,
): Promise<void> {
  await deleteOld(connection, [workspace_id, waba_id, until]);
}

/** When each of these names was last deleted, in any language. */
export async function findDeletions(
  connection: Connection,
  workspace_id: string,
  names: readonly string[],
): Promise<Map<string, Date>> {
  const query = build
    .selectFrom('deleted_templates')
    .select((row) => ['name', row.fn.max('deleted_at').as('deleted_at')])
    .where('workspace_id', '=', workspace_id)
    .where('name', 'in', names)
    .groupBy('name');
  const rows = names.length === 0 ? [] : await run(connection, query);
  return new Map(rows.map(({ name, deleted_at }) => [name, deleted_at]));
}

const updateRemoved = statement(`
  update deleted_templates set removed_at = $3, platform_template_id = coalesce($4, platform_template_id)
  where workspace_id = $1 and id = $2`);

/** Records the removal at the platform. */
export async function setRemoved(
  connection: Connection,
  { workspace_id, template_id }: TemplateRef,
  removed_at: Date,
  platform_template_id: string | null,
): Promise<void> {
  await updateRemoved(connection, [workspace_id, template_id, removed_at, platform_template_id]);
}
