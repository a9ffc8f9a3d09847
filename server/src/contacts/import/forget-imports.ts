import { statement } from '../../database/query.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Resources } from '../../process/resources.ts';
import { forgetImports, type ImportRef } from './jobs.ts';
import { importsKeptMs, receivingMs, rowsKeptMs } from './present.ts';

const hourSeconds = 3_600;
const atOnce = 10_000;

// Imports whose rows are over, and those that are over themselves.
const selectOld = statement<ImportRef & { is_over: boolean }>(`
  select i.workspace_id, i.id as import_id,
    coalesce(i.ended_at is not null and i.created_at < $3 or i.status = 'receiving', false) as is_over
  from contact_imports i
  where (i.ended_at < $1 and (i.created_at < $3 or exists (
      select from contact_import_rows r where r.workspace_id = i.workspace_id and r.import_id = i.id)))
    or (i.status = 'receiving' and i.created_at < $2)
  order by i.workspace_id, i.id`);
const deleteRows = statement<{ count: number }>(`
  with gone as (
    delete from contact_import_rows where workspace_id = $1 and import_id = $2 and ctid = any (array(
      select ctid from contact_import_rows where workspace_id = $1 and import_id = $2 limit $3))
    returning line
  )
  select count(*)::int as count from gone`);
const deleteImport = statement('delete from contact_imports where workspace_id = $1 and id = $2');

/** Every hour, deletes rows that were left out a week ago, files that were never handed over, and imports of 90 days ago. */
export function forgetImportsHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    const before = (ms: number) => new Date(clock.nowMs() - ms);
    const old = await selectOld(pool, [before(rowsKeptMs), before(receivingMs), before(importsKeptMs)]);
    for (const { workspace_id, import_id, is_over } of old) {
      await untilFewer(() => deleteRows(pool, [workspace_id, import_id, atOnce]));
      if (is_over) await deleteImport(pool, [workspace_id, import_id]);
    }
  }
  return repeatJob({ pool, clock, config }, { kind: forgetImports, every_seconds: hourSeconds, perform });
}

async function untilFewer(deleteBatch: () => Promise<{ count: number }[]>): Promise<void> {
  while ((await deleteBatch())[0]!.count === atOnce);
}
