import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import { beginRun, continueRun } from './jobs.ts';

export const triggers = [
  'conversation_created',
  'message_received',
  'api_call',
  'contact_tagged',
  'stage_changed',
  'no_reply',
] as const;
export type Trigger = (typeof triggers)[number];

/** Something that can start a workflow. */
export interface Happening {
  workspace_id: string;
  trigger: Exclude<Trigger, 'api_call'>;
  /** The conversation, the contact or both. */
  contact_id?: string | undefined;
  conversation_id?: string | undefined;
  /** The message that came, or that now waits for a reply. */
  message_id?: string | undefined;
  /** Of `no_reply`: who is to reply. */
  waits_for?: 'business' | 'customer' | undefined;
  /** What else the run reads of it. */
  detail?: Record<string, unknown> | undefined;
  /** How many runs stand behind it, where a run did it. */
  depth?: number | undefined;
}

// A message that answers a run, or that another bot is to answer, starts nothing. What waits for time to pass has no
// queue key: what happens meanwhile does not stand in line behind it.
const enqueue = statement<{ kind: string }>(`
  with new as materialized (
    select * from json_to_recordset($1) as n (place integer, workspace_id uuid, trigger text, contact_id uuid,
      conversation_id uuid, message_id uuid, waits_for text, detail json, depth integer)
  ), answers as (
    select n.place, n.workspace_id, r.id as run_id, r.workflow_id, r.turn, n.message_id
    from new n join workflow_runs r on r.workspace_id = n.workspace_id and r.conversation_id = n.conversation_id
      and r.status = 'running' and r.asked_message_id is not null
    where n.trigger = 'message_received'
  ), begun as (
    select n.*, w.id as workflow_id, w.name, w.after_seconds
    from new n
    join workflows w on w.workspace_id = n.workspace_id and w.trigger = n.trigger and w.status = 'published'
      and w.version > 0 and w.waits_for is not distinct from n.waits_for
    where n.trigger <> 'message_received' or (
      not exists (select from answers a where a.place = n.place) and not exists (
        select from conversations c
        where c.workspace_id = n.workspace_id and c.id = n.conversation_id and c.controller = 'bot'))
  ), due as (
    select place, '' as name, $3 as kind, workspace_id, run_id as queue_key, $4::timestamptz as run_at,
      json_build_object('workspace_id', workspace_id, 'run_id', run_id, 'workflow_id', workflow_id, 'turn', turn,
        'message_id', message_id) as payload
    from answers
    union all
    select place, name, $2, workspace_id,
      case when after_seconds is null then coalesce(conversation_id, contact_id) end,
      $4::timestamptz + make_interval(secs => coalesce(after_seconds, 0)),
      json_build_object('workspace_id', workspace_id, 'workflow_id', workflow_id, 'contact_id', contact_id,
        'conversation_id', conversation_id, 'message_id', message_id, 'detail', detail, 'depth', coalesce(depth, 0))
    from begun
  )
  insert into jobs (kind, group_id, queue_key, payload, run_at)
  select kind, workspace_id, queue_key, payload::text, run_at from due order by place, name
  returning kind`);

/**
 * Enqueues, in the transaction of what happened, the start of each published workflow that it triggers, and wakes the
 * runs that wait for an answer. Where the workspace has neither, it costs a look-up by index and writes nothing.
 */
export async function recordHappenings(tx: Transaction, clock: Clock, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  const rows = happenings.map((happening, place) => ({ place, ...happening }));
  const jobs = await enqueue(tx, [JSON.stringify(rows), beginRun, continueRun, clock.now()]);
  for (const { kind } of jobs) tx.announce(kind);
}
