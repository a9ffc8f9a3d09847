import type { Pool } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { addDetails } from '../../events/add-details.ts';
import { type AttemptRef, readAttemptRef } from '../../events/delivery-job.ts';
import type { Job } from '../../jobs/job.ts';
import { type DueAttempt, type SealedSecrets, secretColumns } from '../queries.ts';

/** An attempt that is due now. */
export interface Attempt extends DueAttempt, SealedSecrets {
  /** The envelope as signed and posted. */
  payload: string;
  url: string;
  event_data: string;
  /** False where the endpoint is disabled or deleted, or was since the delivery began, or where a replay superseded it. */
  is_wanted: boolean;
}

const select = statement<Attempt>(`
  select a.workspace_id, a.event_id, a.endpoint_id, a.attempt, a.event_type, a.term, a.tries, ev.payload, e.url, e.event_data,
    ${secretColumns.map((column) => `e.${column}`).join()},
    e.enabled and e.term = a.term and not exists (
      select from webhook_attempts later where later.workspace_id = a.workspace_id and later.event_id = a.event_id
        and later.endpoint_id = a.endpoint_id and later.attempt > a.attempt) as is_wanted
  from json_to_recordset($1) as r (workspace_id uuid, event_id uuid, endpoint_id uuid, attempt integer)
  join webhook_attempts a on a.workspace_id = r.workspace_id and a.event_id = r.event_id
    and a.endpoint_id = r.endpoint_id and a.attempt = r.attempt and a.listed_at is null
  join events ev on ev.workspace_id = a.workspace_id and ev.id = a.event_id
  join webhook_endpoints e on e.workspace_id = a.workspace_id and e.id = a.endpoint_id`);

/**
 * Reads payloads and current addresses. `gone`: the event was erased, or the attempt was made.
 */
export async function beginAttempts(pool: Pool, jobs: readonly Job[]): Promise<(Attempt | 'gone')[]> {
  const refs = jobs.map((job) => readAttemptRef(job.payload));
  const due = await select(pool, [JSON.stringify(refs)]);
  const detailed = due.filter(({ event_data }) => event_data === 'full');
  const payloads = await addDetails(pool, detailed);
  for (const [index, attempt] of detailed.entries()) attempt.payload = payloads[index]!;
  const found = new Map(due.map((row) => [attemptKey(row), row]));
  return refs.map((ref) => found.get(attemptKey(ref)) ?? 'gone');
}

/** The map key of an attempt. */
export function attemptKey({ event_id, endpoint_id, attempt }: AttemptRef): string {
  return `${event_id} ${endpoint_id} ${attempt}`;
}
