import type { Pool } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { type LockWait, transaction } from '../../database/transaction.ts';
import type { Job } from '../../jobs/job.ts';
import { start } from '../../jobs/queries.ts';
import type { OutboundContent, SendRoute } from '../../platform/outbound-message.ts';
import type { Clock } from '../../process/clock.ts';
import type { EventSubject } from '../events.ts';
import { type MessageRef, readMessageRef } from '../jobs.ts';
import type { DispatchState } from '../rules.ts';

/** A message with all that its call to the platform needs, read right before the call. */
export interface Dispatch extends EventSubject, DispatchState {
  channel_id: string;
  channel_type: string;
  phone_number_id: string;
  waba_id: string;
  /** The platform's path for marketing templates. */
  marketing_route: SendRoute;
  /** Sealed. */
  access_token: Buffer;
  recipient: string;
  filename: string | null;
  mime: string | null;
  content: OutboundContent | null;
  status: string;
  /** The last fault of the channel; it may be over. */
  fault: string | null;
  created_at: Date;
  /** The point of no return. */
  dispatched_at: Date;
  /** The platform's id of the recipient, where known. */
  wa_id: string | null;
  identifier: string | null;
}

const selectDispatches = statement<Dispatch>(`
  select m.workspace_id, m.id, m.conversation_id, m.direction, m.kind, m.body, m.status, m.recipient, m.filename, m.mime, m.content,
    m.created_at, $2::timestamptz as dispatched_at,
    ch.id as channel_id, ch.type as channel_type, ch.phone_number_id, ch.waba_id, ch.marketing_route, ch.access_token, c.blocked,
    ch.disconnected_at is not null as is_disconnected, ch.fault, case when ch.fault_until > $2 then ch.fault end as channel_fault,
    t.status as template_status,
    coalesce(t.category, m.content ->> 'category') is not distinct from 'marketing' as is_marketing,
    (c.consents ->> 'chatapp_marketing') = 'true' as marketing_opt_in,
    (select b.status from broadcasts b
     where b.workspace_id = m.workspace_id and b.id = m.broadcast_id) is not distinct from 'cancelled' as is_cancelled,
    q.platform_message_id as quoted_platform_id, i.wa_id, i.identifier
  from json_to_recordset($1) as r (workspace_id uuid, message_id uuid)
  join messages m on m.workspace_id = r.workspace_id and m.id = r.message_id
  join channels ch on ch.workspace_id = m.workspace_id and ch.id = m.channel_id
  join conversations cv on cv.workspace_id = m.workspace_id and cv.id = m.conversation_id
  join contacts c on c.workspace_id = cv.workspace_id and c.id = cv.contact_id
  left join templates t on m.kind = 'template' and t.workspace_id = m.workspace_id and t.waba_id = ch.waba_id
    and t.name = m.content ->> 'name' and t.language = m.content ->> 'language'
  left join messages q on q.workspace_id = m.workspace_id and q.id = m.reply_to_id
  left join contact_identities i on i.workspace_id = m.workspace_id and i.channel_type = ch.type
    and i.identifier = m.recipient`);

/**
 * Marks the jobs that this process still holds as started, and reads their messages after the commit. In this order, a block
 * or a withdrawn opt-in in between is seen. `lost`: another process has the job; `gone`: the message was erased.
 */
export async function beginDispatches(
  pool: Pool,
  clock: Clock,
  jobs: readonly Job[],
  lock_wait?: LockWait,
): Promise<(Dispatch | 'lost' | 'gone')[]> {
  const now = clock.now();
  const started = await transaction(pool, (tx) => start(tx, jobs, now), lock_wait);
  const refs: MessageRef[] = jobs.map((job) => readMessageRef(job.payload));
  const rows = await selectDispatches(pool, [
    JSON.stringify(refs.filter((_, index) => started.has(jobs[index]!.id))),
    now,
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return jobs.map((job, index) => (started.has(job.id) ? (byId.get(refs[index]!.message_id) ?? 'gone') : 'lost'));
}
