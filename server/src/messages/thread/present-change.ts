import type { ThreadChange } from '@majlis/console-api';
import { type CallReport, callEndsWithinMs, type PaymentReport } from '../../conversations/change/thread-report.ts';
import { type IdKind, publicId } from '../../database/ids.ts';
import type { ThreadChangeRow } from './list-changes.ts';

const actorKinds: Record<string, IdKind> = {
  user: 'user',
  api_key: 'user',
  workflow: 'workflow',
  ai_agent: 'ai_agent',
  contact: 'contact',
};

/** Members without a value are left out. */
export function presentThreadChange(row: ThreadChangeRow, now: Date): ThreadChange {
  const { id, kind, actor_kind, actor_id, actor_name, value_id, value_name, controller, until, reason, summary } = row;
  const actorKind = actorKinds[actor_kind];
  const valueKind = valueKindOf(row);
  return {
    type: 'change',
    id: publicId('conversation_change', id),
    kind,
    actor_kind,
    ...(actor_name !== null && { actor_name }),
    ...(actorKind && actor_id && { actor_id: publicId(actorKind, actor_id) }),
    ...presentReport(row, now),
    ...(valueKind && value_id && { value_id: publicId(valueKind, value_id) }),
    ...(value_name !== null && { value_name }),
    ...(controller !== null && { controller }),
    ...(until && { until: until.toISOString() }),
    ...(reason !== null && { reason }),
    ...(summary !== null && { summary }),
    created_at: row.created_at.toISOString(),
  };
}

/** What the platform has reported so far. */
function presentReport({ report, value_id, created_at }: ThreadChangeRow, now: Date): Partial<ThreadChange> {
  if (!report) return {};
  const { call, click, payment } = report;
  return {
    ...(value_id && { message_id: publicId('message', value_id) }),
    ...(call && { call: presentCall(call, created_at, now) }),
    ...(click && { link: click }),
    ...(payment && { payment: presentPayment(payment) }),
  };
}

/** A call whose end is not reported in time has an unknown end. A report that comes later still counts. */
function presentCall(
  { by, duration_seconds, ...call }: CallReport,
  begun: Date,
  now: Date,
): NonNullable<ThreadChange['call']> {
  const isAnswered = call.is_accepted || duration_seconds !== undefined;
  const outcome = isAnswered ? 'answered' : call.is_rejected ? 'declined' : call.is_ended ? 'missed' : 'begun';
  if (call.is_ended || duration_seconds !== undefined || outcome === 'declined') {
    return { by, outcome, ...(duration_seconds !== undefined && { duration_seconds }) };
  }
  const ends_by = new Date(begun.getTime() + callEndsWithinMs);
  return ends_by > now ? { by, outcome, ends_by: ends_by.toISOString() } : { by, outcome: 'unreported' };
}

function presentPayment({ at_ms: _, ...payment }: PaymentReport) {
  return payment;
}

function valueKindOf({ kind, is_workflow }: ThreadChangeRow): IdKind | undefined {
  if (kind === 'assigned') return 'user';
  if (kind === 'team_assigned') return 'team';
  if (kind === 'stage_set') return 'stage';
  if (kind === 'handed_over') return is_workflow ? 'workflow' : 'ai_agent';
  return undefined;
}
