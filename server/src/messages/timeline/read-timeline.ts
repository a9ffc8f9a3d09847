import type { TimelineStep } from '@majlis/console-api';
import { refuseHidden } from '../../conversations/refuse-hidden.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import { publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { requireId } from '../../http/require-id.ts';
import type { Clock } from '../../process/clock.ts';
import { dispatchKinds } from '../jobs.ts';
import { senderKind } from '../sender-kind.ts';
import { failureCode } from '../thread/failure-code.ts';
import { type EventRow, presentEvents } from './present-events.ts';

interface MessageHistory {
  id: string;
  conversation_id: string;
  channel_id: string;
  direction: string;
  kind: string;
  status: string | null;
  error: string | null;
  initiates: boolean;
  outcome_unknown: boolean;
  platform_message_id: string | null;
  actor_kind: string | null;
  actor_name: string | null;
  created_at: Date;
  dispatched_at: Date | null;
  platform_accepted_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
  proposed_at: Date | null;
  proposer_kind: string | null;
  proposer_name: string | null;
  approved_at: Date | null;
  approver_name: string | null;
  is_edited: boolean | null;
}

interface WaitingJob {
  run_at: Date;
  failures: number;
  started_at: Date | null;
  paused_until: string | null;
}

const nameOf = (table: string) =>
  `(select name from ${table} a where a.workspace_id = m.workspace_id and a.id = m.actor_id)`;
const selectMessage = statement<MessageHistory>(`
  select m.id, m.conversation_id, m.channel_id, m.direction, m.kind, m.status, m.error, m.initiates, m.outcome_unknown,
    m.platform_message_id, ${senderKind} as actor_kind, m.created_at, m.dispatched_at,
    m.platform_accepted_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at, p.created_at as proposed_at, p.ended_at as approved_at, p.is_edited,
    case when p.ai_agent_id is null then 'workflow' else 'ai_agent' end as proposer_kind,
    coalesce((select name from ai_agents a where a.workspace_id = p.workspace_id and a.id = p.ai_agent_id),
      (select name from workflows w where w.workspace_id = p.workspace_id and w.id = p.workflow_id)) as proposer_name,
    (select name from users u where u.workspace_id = p.workspace_id and u.id = p.decided_by) as approver_name,
    case m.actor_kind when 'user' then ${nameOf('users')} when 'workflow' then ${nameOf('workflows')}
      when 'ai_agent' then ${nameOf('ai_agents')} when 'broadcast' then ${nameOf('broadcasts')} end as actor_name
  from messages m
  join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id and c.contact_id is not null
  left join proposals p on p.workspace_id = m.workspace_id and p.message_id = m.id
  where m.workspace_id = $1 and m.id = $2`);
// A pause without an end is infinity, which no date of JavaScript is.
const selectJob = statement<WaitingJob>(`
  select j.run_at, j.failures, j.started_at, g.paused_until::text as paused_until
  from jobs j left join job_groups g on g.kind = j.kind and g.group_id = j.group_id and g.paused_until > $4
  where j.kind = any($1) and j.queue_key = $2 and j.payload like '%' || $3::text || '%' limit 1`);
// The text of an event contains the id as a member of its message alone. The index of the conversation's events has the place.
const messageNamed = `substr(payload, strpos(payload, '"message":{"id":"') + 17, 30)`;
// Materialized, because for an ordered list with a limit the planner may read all later events of the workspace.
const selectEvents = statement<EventRow>(`
  with naming as materialized (
    select workspace_id, id, type, created_at from events
    where workspace_id = $1 and conversation_id = $2 and ${messageNamed} = $3)
  select e.id, e.type, e.created_at, a.attempt, a.tries, a.listed_at, a.delivered_at, a.response_status, a.reason, w.url
  from (select * from naming order by id limit 20) e
  left join webhook_attempts a on a.workspace_id = e.workspace_id and a.event_id = e.id
  left join webhook_endpoints w on w.workspace_id = a.workspace_id and w.id = a.endpoint_id
  order by e.id, w.url, a.attempt`);

/** What happened to a message, from the rows that the service keeps: nothing is concluded from what is missing. */
export async function readTimeline(
  connection: Connection,
  clock: Pick<Clock, 'now'>,
  viewer: Viewer,
  { message_id, sees_endpoints }: { message_id: string; sees_endpoints: boolean },
): Promise<TimelineStep[]> {
  const { workspace_id } = viewer;
  const id = requireId('message', message_id);
  const [message] = await selectMessage(connection, [workspace_id, id]);
  if (!message) throw new Refusal('not_found');
  await refuseHidden(connection, viewer, { message_id: id });
  const events = await selectEvents(connection, [workspace_id, message.conversation_id, publicId('message', id)]);
  const steps = [...historyOf(message), ...presentEvents(events, sees_endpoints)];
  // The platform's times are whole seconds. Within a second, the order is that of the cause and its effect.
  const secondOf = ({ at }: TimelineStep) => Math.floor(Date.parse(at!) / 1000);
  const inOrder = steps.sort((a, b) => secondOf(a) - secondOf(b));
  const isQueued = message.status === 'queued' && message.platform_message_id === null;
  const jobs = isQueued ? await selectJob(connection, [dispatchKinds, message.conversation_id, id, clock.now()]) : [];
  return [...inOrder, ...stateOf(message, jobs[0], clock.now())];
}

function historyOf(message: MessageHistory): TimelineStep[] {
  const { created_at, direction, kind, actor_kind, actor_name, error, initiates, platform_message_id } = message;
  const at = created_at.toISOString();
  if (direction === 'inbound') return [{ step: 'received', at }];
  const actor = { ...(actor_kind !== null && { actor_kind }), ...(actor_name !== null && { actor_name }) };
  if (kind === 'note') return [{ step: 'noted', at, ...actor }];
  const code = error ? failureCode(error) : undefined;
  const failure = { ...(code !== undefined && { code }), ...(error && { detail: error }) };
  const when = (step: TimelineStep['step'], moment: Date | null, more: Partial<TimelineStep> = {}): TimelineStep[] =>
    moment ? [{ step, at: moment.toISOString(), ...more }] : [];
  return [
    ...approvalOf(message),
    { step: 'accepted', at, ...actor },
    { step: initiates ? 'allowed_by_template' : 'allowed_in_window', at },
    ...when('dispatched', message.dispatched_at),
    ...when(
      'platform_accepted',
      message.platform_accepted_at,
      platform_message_id ? { code: platform_message_id } : {},
    ),
    ...when('sent', message.sent_at),
    ...when('delivered', message.delivered_at),
    ...when('read', message.read_at),
    ...when('failed', message.failed_at, failure),
  ];
}

/** Who proposed the message, and who said yes. */
function approvalOf(message: MessageHistory): TimelineStep[] {
  const { proposed_at, proposer_kind, proposer_name, approved_at, approver_name, is_edited } = message;
  if (!proposed_at || !approved_at) return [];
  const proposer = {
    ...(proposer_kind && { actor_kind: proposer_kind }),
    ...(proposer_name && { actor_name: proposer_name }),
  };
  const approver = { actor_kind: 'user', ...(approver_name && { actor_name: approver_name }) };
  return [
    { step: 'proposed', at: proposed_at.toISOString(), ...proposer },
    { step: is_edited ? 'approved_edited' : 'approved', at: approved_at.toISOString(), ...approver },
  ];
}

/** What a message waits for now. */
function stateOf({ outcome_unknown, status }: MessageHistory, job: WaitingJob | undefined, now: Date): TimelineStep[] {
  if (outcome_unknown && status === 'queued') return [{ step: 'outcome_unknown' }];
  if (!job) return [];
  const tries = job.failures > 0 ? { tries: job.failures } : {};
  if (job.started_at) return [{ step: 'dispatched', at: job.started_at.toISOString(), ...tries }];
  const paused = job.paused_until === null ? undefined : new Date(job.paused_until);
  const until = [job.run_at, ...(paused ? [paused] : [])].reduce((a, b) =>
    b > a || Number.isNaN(b.getTime()) ? b : a,
  );
  if (!paused && until <= now) return [{ step: 'waiting', ...tries }];
  return [{ step: 'held_back', ...tries, ...(!Number.isNaN(until.getTime()) && { until: until.toISOString() }) }];
}
