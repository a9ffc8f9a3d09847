import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { TemplateRow } from './present.ts';

/** A whole row of `templates`. A name stands for one template in each language of an account. */
export interface Template extends TemplateRow {
  workspace_id: string;
  waba_id: string;
  /** Absent until the platform is known to have it. */
  platform_template_id: string | null;
  /** The platform's time of its last report on the status. */
  reported_at: Date | null;
}

const columns = `workspace_id, id, waba_id, platform_template_id, name, language, category, components, status,
  rejection_reason, quality, updated_at, reported_at`;

/** An account as one workspace has it. */
export interface Account {
  workspace_id: string;
  waba_id: string;
}

/** Which template a job is for. */
export interface TemplateRef {
  workspace_id: string;
  template_id: string;
}

const lockTemplates = statement<Template>(`
  select ${columns} from templates
  where (workspace_id, waba_id) in (
    select workspace_id, waba_id from json_to_recordset($1) as a (workspace_id uuid, waba_id text))
  order by workspace_id, id
  for no key update`);

/** All templates of these accounts, locked in one order. */
export function lockAll(connection: Connection, accounts: readonly Account[]): Promise<Template[]> {
  return lockTemplates(connection, [JSON.stringify(accounts)]);
}

const lockTemplate = statement<Template>(`
  select ${columns} from templates where workspace_id = $1 and id = $2 for update`);

export async function lock(
  connection: Connection,
  { workspace_id, template_id }: TemplateRef,
): Promise<Template | undefined> {
  return (await lockTemplate(connection, [workspace_id, template_id]))[0];
}

const selectTemplate = statement<Template>(`select ${columns} from templates where workspace_id = $1 and id = $2`);

export async function find(
  connection: Connection,
  { workspace_id, template_id }: TemplateRef,
): Promise<Template | undefined> {
  return (await selectTemplate(connection, [workspace_id, template_id]))[0];
}

// The first status of a template is the first entry of its review history.
const insertTemplates = statement<{ id: string }>(`
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

/** Answers the ids of those that are new: a template that was stored meanwhile stays as it is. */
export async function insert(connection: Connection, templates: readonly Template[]): Promise<Set<string>> {
  if (templates.length === 0) return new Set();
  const rows = await insertTemplates(connection, [JSON.stringify(templates)]);
  return new Set(rows.map((row) => row.id));
}

const updateTemplates = statement(`
  update templates t set platform_template_id = n.platform_template_id, category = n.category,
    components = n.components, status = n.status, rejection_reason = n.rejection_reason, quality = n.quality,
    updated_at = n.updated_at, reported_at = n.reported_at
  from json_populate_recordset(null::templates, $1) as n
  where t.workspace_id = n.workspace_id and t.id = n.id`);

export async function update(connection: Connection, templates: readonly Template[]): Promise<void> {
  if (templates.length > 0) await updateTemplates(connection, [JSON.stringify(templates)]);
}

const updateSubmitted = statement(`
  update templates set submitted_at = $3 where workspace_id = $1 and id = $2`);

/** The platform took the template. */
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

/** When the platform took templates of the account, since `after`; the latest first. */
export async function listSubmissions(
  connection: Connection,
  { workspace_id, waba_id }: Account,
  after: Date,
): Promise<Date[]> {
  const rows = await selectSubmitted(connection, [workspace_id, waba_id, after]);
  return rows.map(({ submitted_at }) => submitted_at);
}

const insertReviews = statement(`
  insert into template_reviews (workspace_id, template_id, status, rejection_reason, updated_at)
  select workspace_id, id, status, rejection_reason, updated_at from json_populate_recordset(null::templates, $1)`);

/** Adds to the review history what these templates, each in one of its states, came to; in the order given. */
export async function addReviews(connection: Connection, templates: readonly Template[]): Promise<void> {
  if (templates.length > 0) await insertReviews(connection, [JSON.stringify(templates)]);
}

const deleteTemplates = statement(`
  delete from templates t
  using json_to_recordset($1) as gone (workspace_id uuid, id uuid)
  where t.workspace_id = gone.workspace_id and t.id = gone.id`);

const deletedColumns = 'workspace_id, id, waba_id, name, language, platform_template_id, deleted_at, removed_at';

const insertDeleted = statement(`
  insert into deleted_templates (${deletedColumns})
  select ${deletedColumns} from json_populate_recordset(null::deleted_templates, $1)`);

/** A template that was deleted, and whether the platform is known to have it no more. */
export interface DeletedTemplate
  extends Pick<Template, 'workspace_id' | 'id' | 'waba_id' | 'name' | 'language' | 'platform_template_id'> {
  deleted_at: Date;
  removed_at: Date | null;
}

/** Deletes templates and remembers that they were. */
export async function remove(connection: Connection, deleted: readonly DeletedTemplate[]): Promise<void> {
  if (deleted.length === 0) return;
  await deleteTemplates(connection, [JSON.stringify(deleted.map(({ workspace_id, id }) => ({ workspace_id, id })))]);
  await insertDeleted(connection, [JSON.stringify(deleted)]);
}

const selectDeletedOf = statement<DeletedTemplate>(`
  select ${deletedColumns} from deleted_templates where workspace_id = $1 and waba_id = $2`);

export function listDeleted(connection: Connection, { workspace_id, waba_id }: Account): Promise<DeletedTemplate[]> {
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

/** Of what was deleted until `until` and is removed at the platform nothing needs to be known any more. */
export async function forgetDeleted(
  connection: Connection,
  { workspace_id, waba_id }: Account,
  until: Date,
): Promise<void> {
  await deleteOld(connection, [workspace_id, waba_id, until]);
}

/** Of these names, when each was last deleted in any language. */
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

/** The platform has it no more; `platform_template_id`: the id under which it had it. */
export async function setRemoved(
  connection: Connection,
  { workspace_id, template_id }: TemplateRef,
  removed_at: Date,
  platform_template_id: string | null,
): Promise<void> {
  await updateRemoved(connection, [workspace_id, template_id, removed_at, platform_template_id]);
}
