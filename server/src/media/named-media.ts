import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { lockForUse } from './queries.ts';

// A version may run while it is the current one of its workflow, or while one of its runs goes on.
const selectNames = statement<{ name: string }>(`
  with texts as (
    select v.definition::text as text from workflow_versions v
    where v.workspace_id = $1 and (
      exists (select from workflows w
        where w.workspace_id = v.workspace_id and w.id = v.workflow_id and w.version = v.version)
      or exists (select from workflow_runs r
        where r.workspace_id = v.workspace_id and r.workflow_id = v.workflow_id and r.version = v.version
          and r.status = 'running'))
    union all
    select r.trigger::text || r.results::text from workflow_runs r where r.workspace_id = $1 and r.status = 'running'
    union all
    select t.components::text from templates t where t.workspace_id = $1
  )
  select distinct (regexp_matches(text, 'med_[0-9a-z]{26}', 'g'))[1] as name from texts where text like '%med\\_%'`);

const selectUnread = statement<{ media_id: string | null }>(`
  select media_id from knowledge_sources where workspace_id = $1 and status = 'waiting' and media_id is not null`);

const selectScheduled = statement<{ media_id: string | null }>(`
  select media_id from scheduled_messages
  where workspace_id = $1 and state in ('scheduled', 'failed') and media_id is not null`);

const selectProposed = statement<{ media_id: string | null }>(`
  select media_id from proposals where workspace_id = $1 and state = 'waiting' and media_id is not null`);

/**
 * The media that definitions and runs of workflows, templates, unread knowledge sources, scheduled messages and proposals name.
 * Messages do not count.
 */
export async function listNamedMedia(connection: Connection, workspace_id: string): Promise<Set<string>> {
  const names = await selectNames(connection, [workspace_id]);
  const unread = await selectUnread(connection, [workspace_id]);
  const scheduled = await selectScheduled(connection, [workspace_id]);
  const proposed = await selectProposed(connection, [workspace_id]);
  return new Set([
    ...names.flatMap(({ name }) => parseId('media', name) ?? []),
    ...unread.flatMap(({ media_id }) => media_id ?? []),
    ...scheduled.flatMap(({ media_id }) => media_id ?? []),
    ...proposed.flatMap(({ media_id }) => media_id ?? []),
  ]);
}

/** Keeps the media that a text names from being removed, until the transaction that stores the text ends. */
export async function lockNamedIn(tx: Transaction, workspace_id: string, text: string): Promise<void> {
  const ids = (text.match(/med_[0-9a-z]{26}/g) ?? []).flatMap((name) => parseId('media', name) ?? []);
  if (ids.length === 0) return;
  await lockForUse(
    tx,
    ids.map((id) => ({ workspace_id, id })),
  );
}
