import { limits } from '@majlis/contract';
import { answerMessage, beginRun } from '../automation/jobs.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { answerAway, dispatchKinds } from '../messages/jobs.ts';
import type { Clock } from '../process/clock.ts';
import type { RetentionPosition } from './jobs.ts';

const dayMs = 86_400_000;

// Jobs whose queue key is the conversation.
const pendingKinds = [...dispatchKinds, answerAway, answerMessage, beginRun];

// Each is looked up by index for one conversation at a time: `offset 0` keeps the planner from joining whole tables.
const none = (from: string) => `not exists (select from ${from} offset 0)`;
const of = (alias: string) => `${alias}.workspace_id = c.workspace_id and ${alias}.conversation_id = c.id`;

/**
 * Whether conversation `c` of workspace $1 is closed, has its last message or note at $2 or before, and has nothing still to
 * happen: nothing to be sent, answered, decided or continued. For a day, an undo finds what was closed, a person what they
 * wrote, and a repeated request its answer. $3 is a day ago, $4 the kinds of jobs, $5 the start of a workflow, which may wait
 * without a queue.
 */
export const isExpired = `
  c.workspace_id = $1 and c.status = 'closed' and c.contact_id is not null and c.last_message_at <= $2
  and c.snoozed_until is null
  and coalesce((select m.created_at from messages m where ${of('m')} order by m.id desc limit 1) <= $2, true)
  and ${none(`messages m where ${of('m')} and m.status = 'queued'`)}
  and ${none(`scheduled_messages s where ${of('s')} and s.state = 'scheduled'`)}
  and ${none(`proposals p where ${of('p')} and p.state = 'waiting'`)}
  and ${none(`workflow_runs r where ${of('r')} and r.status = 'running'`)}
  and ${none(`workflow_runs r where r.workspace_id = c.workspace_id and r.contact_id = c.contact_id
    and r.conversation_id is null and r.status = 'running'`)}
  and ${none(`broadcast_recipients r
    join broadcasts b on b.workspace_id = r.workspace_id and b.id = r.broadcast_id
    where ${of('r')} and b.status in ('scheduled', 'sending')`)}
  and ${none(`conversation_closings e where ${of('e')} and e.closed_at > $3`)}
  and ${none(`drafts d where ${of('d')} and d.updated_at > $3`)}
  and ${none(`idempotency_keys k where ${of('k')} and k.created_at > $3`)}
  and ${none('jobs j where j.kind = any ($4) and j.queue_key = c.id')}
  and c.id not in (select start.conversation_id from (
    select case when j.kind = $5 then (j.payload::json ->> 'conversation_id')::uuid end as conversation_id
    from jobs j where j.kind = $5 and j.group_id = $1 and j.queue_key is null) start
    where start.conversation_id is not null)`;

/** The values of `isExpired`. */
export function expiryOf(clock: Clock, workspace_id: string, days: number): unknown[] {
  const now = clock.nowMs();
  const dayAgo = new Date(now - limits.idempotency_key_seconds * 1000);
  return [workspace_id, new Date(now - days * dayMs), dayAgo, pendingKinds, beginRun];
}

/** A closed conversation whose last message is old enough, and whether it has expired. */
export interface OldConversation extends RetentionPosition {
  is_expired: boolean;
}

// The page is cut by the index first. Otherwise the planner may look at everything in all of them before it sorts.
const selectPage = (place: string) =>
  statement<OldConversation>(`
  select c.last_message_at, c.id, (${isExpired}) is true as is_expired from (
    select c.workspace_id, c.id, c.contact_id, c.status, c.last_message_at, c.snoozed_until from conversations c
    where c.workspace_id = $1 and c.status = 'closed' and c.last_message_at <= $2 ${place}
    order by c.last_message_at, c.id limit $6
  ) c
  order by c.last_message_at, c.id`);
const selectFirst = selectPage('');
const selectNext = selectPage('and (c.last_message_at, c.id) > ($7, $8)');

/** The next old conversations, the oldest first. */
export function listOld(
  connection: Connection,
  expiry: readonly unknown[],
  { after, count }: { after: RetentionPosition | undefined; count: number },
): Promise<OldConversation[]> {
  if (!after) return selectFirst(connection, [...expiry, count]);
  return selectNext(connection, [...expiry, count, after.last_message_at, after.id]);
}
