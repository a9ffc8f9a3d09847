import type { WorkflowStarter } from '../../automation/trigger-workflows.ts';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Caller } from '../../http/authenticate.ts';
import type { Clock } from '../../process/clock.ts';
import { eventsOfLines } from '../events.ts';

/** Who changes a conversation. The id of `api_key` is that of its creator, where known. A contact is the one of the conversation. */
export interface Actor extends WorkflowStarter {
  kind: 'user' | 'api_key' | 'workflow' | 'ai_agent' | 'platform_agent' | 'contact' | 'system';
  id: string | null;
}

export const system: Actor = { kind: 'system', id: null };
export const platformAgent: Actor = { kind: 'platform_agent', id: null };

export function actorOf({
  is_person,
  user_id,
  starts_no_workflows = false,
}: Pick<Caller, 'is_person' | 'user_id' | 'starts_no_workflows'>): Actor {
  return { kind: is_person ? 'user' : 'api_key', id: user_id, starts_no_workflows };
}

/** Who and what is behind a change. */
export interface ChangeCause {
  actor: Actor;
  /** The workflow of the run that gets control, where it is not the actor. */
  workflow_id?: string;
  /** Of a closing. */
  reason_id?: string | null;
  summary?: string | null;
}

interface State {
  status: string;
  assignee_id: string | null;
  team_id: string | null;
  stage_id: string | null;
  snoozed_until: Date | null;
  controller: string;
  workflow_run_id: string | null;
  ai_agent_id: string | null;
}

type Change = Omit<Partial<State>, 'snoozed_until'> & {
  snoozed_until?: Date | null;
  bot_handed_over_at?: Date;
};

type Line = { kind: string } & Partial<
  Record<'value_id' | 'controller' | 'reason_id' | 'summary', string | null> & Record<'until', Date | null>
>;

/** What the change does to this state, for the people who read the thread. A value that stays is no line. */
export function linesOf(before: State, change: Change, cause: ChangeCause): Line[] {
  const after = { ...before, ...change };
  const lines: Line[] = [];
  if (before.status === 'closed' && after.status === 'open') lines.push({ kind: 'reopened' });
  if (before.snoozed_until?.getTime() !== after.snoozed_until?.getTime()) {
    lines.push({ kind: 'snoozed', until: after.snoozed_until });
  }
  if (before.stage_id !== after.stage_id) lines.push({ kind: 'stage_set', value_id: after.stage_id });
  if (isHandedOver(before, after) || change.bot_handed_over_at) {
    lines.push({ kind: 'handed_over', controller: after.controller, value_id: botOf(after, cause) });
  }
  if (before.team_id !== after.team_id) lines.push({ kind: 'team_assigned', value_id: after.team_id });
  if (before.assignee_id !== after.assignee_id) lines.push({ kind: 'assigned', value_id: after.assignee_id });
  if (before.status === 'open' && after.status === 'closed') {
    lines.push({ kind: 'closed', reason_id: cause.reason_id ?? null, summary: cause.summary ?? null });
  }
  return lines;
}

function isHandedOver(before: State, after: State): boolean {
  if (before.controller !== after.controller) return true;
  const { workflow_run_id, ai_agent_id } = after;
  const isSame = workflow_run_id === before.workflow_run_id && (workflow_run_id || ai_agent_id === before.ai_agent_id);
  return after.controller === 'bot' && !isSame;
}

function botOf({ controller, workflow_run_id, ai_agent_id }: State, { actor, workflow_id }: ChangeCause) {
  if (controller !== 'bot') return null;
  return workflow_run_id ? (workflow_id ?? actor.id) : ai_agent_id;
}

const insertChanges = statement(`
  insert into conversation_changes (workspace_id, conversation_id, id, kind, actor_kind, actor_id, value_id, controller, until,
    reason_id, summary, created_at)
  select $1, conversation_id, id, kind, $3, $4, value_id, controller, until, reason_id, summary, $5
  from json_to_recordset($2) as n (conversation_id uuid, id uuid, kind text, value_id uuid, controller text,
    until timestamptz, reason_id uuid, summary text)`);

/** Records lines of conversations of one workspace and their events, in the transaction of their change. */
export async function recordChanges(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  actor: Actor,
  lines: readonly (Line & { conversation_id: string })[],
): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({ ...line, id: newId(clock) }));
  await Promise.all([
    insertChanges(tx, [workspace_id, JSON.stringify(rows), actor.kind, actor.id, clock.now()]),
    recordEvents(
      tx,
      clock,
      eventsOfLines(
        lines.map((line) => ({ ...line, workspace_id })),
        // Events name the actors that the contract knows.
        actor.kind === 'platform_agent' ? system : actor,
      ),
    ),
  ]);
}
