import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Caller } from '../http/authenticate.ts';
import { refuseWithoutScope, sendingScope } from '../http/require-scope.ts';
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

/** An event that can start a workflow. */
export interface TriggerEvent {
  workspace_id: string;
  trigger: Exclude<Trigger, 'api_call'>;
  /** At least one of `contact_id` and `conversation_id` is set. */
  contact_id?: string | undefined;
  conversation_id?: string | undefined;
  /** The received message, or the message that waits for a reply. */
  message_id?: string | undefined;
  /** For `no_reply`: the side that must reply. */
  waits_for?: 'business' | 'customer' | undefined;
  /** Further values of `trigger.…`. */
  detail?: Record<string, unknown> | undefined;
  chain?: RunChain | undefined;
}

/** The workflow runs that caused an event. */
export interface RunChain {
  /** The first run, which no other run started. */
  root_run_id: string;
  /** The number of runs from the first to the one that caused the event. */
  depth: number;
}

// A message that replies to a run, or that a bot answers, starts nothing. A delayed start has no queue key, so that it
// does not block later events.
const enqueue = statement<{ kind: string }>(`
  with new as materialized (
    select * from json_to_recordset($1) as n (place integer, workspace_id uuid, trigger text, contact_id uuid,
      conversation_id uuid, message_id uuid, waits_for text, detail json, depth integer,
      root_run_id uuid)
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
        'conversation_id', conversation_id, 'message_id', message_id, 'detail', detail, 'depth', coalesce(depth, 0),
        'root_run_id', root_run_id)
    from begun
  )
  insert into jobs (kind, group_id, queue_key, payload, run_at)
  select kind, workspace_id, queue_key, payload::text, run_at from due order by place, name
  returning kind`);

/** Who acts, where it is not the service or a customer. */
export type WorkflowStarter = Pick<Caller, 'starts_no_workflows'>;

/**
 * Enqueues the start of each published workflow that the events trigger, and continues runs that wait for a reply, in the
 * transaction of the events. Without such workflows and runs, it costs one index lookup and writes nothing.
 * 403 where `by` is a key without the scope of sending: a run may send, whatever started it.
 */
export async function triggerWorkflows(
  tx: Transaction,
  clock: Clock,
  events: readonly TriggerEvent[],
  by?: WorkflowStarter,
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ chain, ...event }, place) => ({ place, ...event, ...chain }));
  const jobs = await enqueue(tx, [JSON.stringify(rows), beginRun, continueRun, clock.now()]);
  if (jobs.length > 0 && by?.starts_no_workflows) {
    throw refuseWithoutScope(sendingScope, 'the change starts a workflow, which may send');
  }
  for (const { kind } of jobs) tx.announce(kind);
}
