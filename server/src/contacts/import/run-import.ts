import { consoleOperations, mayAct } from '@majlis/console-api';
import { limits } from '@majlis/contract';
import { statement } from '../../database/query.ts';
import { Outdated, type Transaction, transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { holdMember } from '../../users/hold-member.ts';
import { importContacts } from '../write/import-contacts.ts';
import { type Chunk, chunkJob, type ImportRef, importChunk, readChunk } from './jobs.ts';
import { findImport, type ImportRecord, listWaitingRows, lockImport, recordChunk, setImportEnded } from './queries.ts';

const smallerBy = 10;

const selectCountry = statement<{ country: string | null }>('select country from workspaces where id = $1');

/**
 * Imports the next rows of a file: the contacts, the progress and the job of the next chunk are one commit, fenced by the claim.
 * A crash at any moment neither repeats nor omits a row. The import ends where the person who started it lost the right to.
 */
export function importChunkHandler({ pool, clock, config }: Resources): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const chunk = readChunk(job.payload);
    const count = chunk.count ?? limits.import_contacts;
    try {
      await transaction(pool, async (tx) => {
        const isAllowed = await holdStarter(tx, chunk);
        const found = await lockImport(tx, chunk);
        if ((await finish(tx, [job])) === 0 || found?.status !== 'running') return;
        if (!isAllowed) return setImportEnded(tx, chunk, 'cancelled', clock.now());
        const has_more = await importNext(tx, chunk, found, count);
        if (has_more) await enqueueJobs(tx, [chunkJob(chunk, clock.now())]);
        else await setImportEnded(tx, chunk, 'done', clock.now());
      });
    } catch (error) {
      // One row can refuse its whole chunk, as one that gives a contact too many tags. Smaller chunks find it.
      if (!(error instanceof Refusal)) throw error;
      return { type: 'retry', run_at: clock.now(), payload: JSON.stringify(smaller(chunk, count)) };
    }
    return { type: 'finished' };
  }

  /** Whether rows may be left. */
  async function importNext(tx: Transaction, chunk: Chunk, found: ImportRecord, count: number): Promise<boolean> {
    const rows = await listWaitingRows(tx, chunk, { after: found.done_line, count });
    if (rows.length === 0) return false;
    const { workspace_id } = chunk;
    const done_line = rows.at(-1)!.line;
    if (chunk.leaves_out) {
      const left_out = [{ line: done_line, reason: 'unprocessable_content' }];
      await recordChunk(tx, chunk, { done_line, created: 0, updated: 0, imported: [], left_out });
      return true;
    }
    const [workspace] = await selectCountry(tx, [workspace_id]);
    const importer = { workspace_id, country: workspace!.country, user_id: found.user_id, is_person: true as const };
    const contacts = rows.map(({ contact }) => contact);
    const { created, updated, failed } = await importContacts(tx, clock, importer, { contacts }, config);
    const reasons = new Map(failed.map(({ index, code }) => [rows[index]!.line, code]));
    const recorded = await recordChunk(tx, chunk, {
      done_line,
      created,
      updated,
      imported: rows.filter(({ line }) => !reasons.has(line)).map(({ line }) => line),
      left_out: [...reasons].map(([line, reason]) => ({ line, reason })),
    });
    // An erased contact must not come back by a row that was read before.
    if (recorded !== rows.length) throw new Outdated('rows of the chunk were erased');
    return true;
  }

  return { kind: importChunk, concurrency: 2, group_concurrency: 1, run };
}

/**
 * Whether the person who started the import may still do so. The rights are held before the import, as in a request. Nobody else
 * starts an import that runs, so its person stays the same.
 */
async function holdStarter(tx: Transaction, ref: ImportRef): Promise<boolean> {
  const found = await findImport(tx, ref);
  const member = found && (await holdMember(tx, { ...ref, user_id: found.user_id }));
  return member !== undefined && !member.own_teams_only && mayAct(member.role, startedFrom);
}

const startedFrom = consoleOperations.startContactImport.audience;

function smaller({ workspace_id, import_id }: Chunk, count: number): Chunk {
  if (count === 1) return { workspace_id, import_id, count: 1, leaves_out: true };
  return { workspace_id, import_id, count: Math.ceil(count / smallerBy) };
}
