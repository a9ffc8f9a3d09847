import { cancelConversationAnswers } from '../../automation/cancel-answers.ts';
import { cancelConversationRuns } from '../../automation/cancel-runs.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { lockConversation, updateConversation } from '../queries.ts';
import { lockConversations } from '../touch-conversations.ts';
import { type Actor, platformAgent } from './record-changes.ts';

/** The platform's word on its own agent in a conversation. */
export interface ControlReport {
  workspace_id: string;
  conversation_id: string;
  is_held: boolean;
  /** The platform's time. */
  at: Date;
  /** A change of control decides over a message of the same second. */
  is_change: boolean;
}

const advanceControl = statement<{ workspace_id: string; id: string; is_held: boolean }>(`
  with advanced as (
    update conversations c set platform_control_at = w.at
    from json_to_recordset($1) as w (workspace_id uuid, conversation_id uuid, is_held boolean, at timestamptz, is_change boolean)
    where c.workspace_id = w.workspace_id and c.id = w.conversation_id and c.contact_id is not null
      and (c.platform_control_at is null or c.platform_control_at < w.at
        or w.is_change and c.platform_control_at = w.at)
    returning c.workspace_id, c.id, w.is_held, c.held_by_platform
  )
  select workspace_id, id, is_held from advanced where is_held <> held_by_platform`);

/**
 * Follows the platform's own agent as it gets conversations and gives them up. Reports come in any order: the latest by the
 * platform's time decides.
 */
export async function followPlatformControl(
  tx: Transaction,
  clock: Clock,
  reports: readonly ControlReport[],
): Promise<void> {
  if (reports.length === 0) return;
  const latest = latestOf(reports);
  await lockConversations(tx, latest);
  for (const { workspace_id, id, is_held } of await advanceControl(tx, [JSON.stringify(latest)])) {
    const conversation = (await lockConversation(tx, workspace_id, id))!;
    const change = is_held
      ? { controller: 'bot' as const, ai_agent_id: null, workflow_run_id: null, held_by_platform: true }
      : { controller: 'human' as const, held_by_platform: false, bot_handed_over_at: clock.now() };
    await updateConversation(tx, clock, conversation, change, { actor: platformAgent });
    if (!is_held) continue;
    await cancelConversationAnswers(tx, clock, conversation);
    await cancelConversationRuns(tx, clock, conversation, "The platform's own agent took over the conversation.");
  }
}

function latestOf(reports: readonly ControlReport[]): ControlReport[] {
  const latest = new Map<string, ControlReport>();
  for (const report of reports) {
    const known = latest.get(report.conversation_id);
    if (!known || known.at <= report.at) latest.set(report.conversation_id, report);
  }
  return [...latest.values()];
}

/** A person writes: the platform's own agent leaves the conversation, here as at the platform. */
export async function takeFromPlatform(
  tx: Transaction,
  clock: Clock,
  { workspace_id, conversation_id, actor }: { workspace_id: string; conversation_id: string; actor: Actor },
): Promise<void> {
  const conversation = await lockConversation(tx, workspace_id, conversation_id);
  if (!conversation?.held_by_platform) return;
  await updateConversation(tx, clock, conversation, { controller: 'human' }, { actor });
}
