import type { ContactHolder } from '../../contacts/erase/contact-holder.ts';
import { keyOfReport } from '../../conversations/change/record-reports.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { repeatJob } from '../../jobs/repeat-job.ts';
import type { Resources } from '../../process/resources.ts';
import { forgetErasedCalls } from '../jobs.ts';

// The digest of a key says nothing of the person: the platform's id has a random part.
const keep = statement(`
  insert into erased_calls (workspace_id, digest, called_at)
  select workspace_id, md5(report_key)::uuid, created_at from conversation_changes
  where workspace_id = $1 and conversation_id = any ($2::uuid[]) and kind = 'called' and report_key is not null
  order by 1, 2 on conflict do nothing`);

/** Keeps digests of the calls of an erased contact: the platform may report their ends later. */
export const callsOfContacts: ContactHolder = {
  async erase(tx, { workspace_id, conversation_ids }) {
    await keep(tx, [workspace_id, conversation_ids]);
  },
};

interface NamedCall {
  workspace_id: string;
  channel_id: string;
  call_id: string;
}

const select = statement<{ n: number }>(`
  select w.n from json_to_recordset($1) as w (n integer, workspace_id uuid, key text)
  join erased_calls e on e.workspace_id = w.workspace_id and e.digest = md5(w.key)::uuid`);

/** Which of these calls, by index, an erasure has taken with their contact. */
export async function findErasedCalls(connection: Connection, calls: readonly NamedCall[]): Promise<Set<number>> {
  if (calls.length === 0) return new Set();
  const rows = calls.map(({ workspace_id, channel_id, call_id }, n) => {
    return { n, workspace_id, key: keyOfReport({ kind: 'called', channel_id, subject: call_id }) };
  });
  return new Set((await select(connection, [JSON.stringify(rows)])).map(({ n }) => n));
}

const hourSeconds = 3_600;
// The platform repeats a notification for days.
const keptMs = 7 * 86_400_000;
const deleteOld = statement('delete from erased_calls where called_at < $1');

/** Every hour, deletes the digests of calls that nothing is reported of any more. */
export function forgetErasedCallsHandler({ config, pool, clock }: Resources): JobHandler {
  async function perform(): Promise<void> {
    await deleteOld(pool, [new Date(clock.nowMs() - keptMs)]);
  }
  return repeatJob({ pool, clock, config }, { kind: forgetErasedCalls, every_seconds: hourSeconds, perform });
}
