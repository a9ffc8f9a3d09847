import { triggerWorkflows } from '../../automation/trigger-workflows.ts';
import { parseId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { isKnown } from '../list/is-known.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';

/** Moves it to a stage, or takes it off its stage (null). A stage that is not sent stays. */
export async function setConversationStage(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { stage_id }: { stage_id?: string | null },
): Promise<void> {
  const stage = stage_id && (parseId('stage', stage_id) ?? '');
  if (typeof stage === 'string' && !(await isKnown(tx, 'stages', conversation.workspace_id, stage))) {
    throw invalid({ detail: 'names no stage', pointer: '/stage_id' });
  }
  if (stage !== undefined) await moveToStage(tx, clock, conversation, stage);
}

/** To a stage of the workspace, by its id. `depth`: how many runs stand behind it, where one moves it. */
export async function moveToStage(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  stage_id: string | null,
  depth = 0,
): Promise<void> {
  if (conversation.stage_id === stage_id) return;
  await updateConversation(tx, conversation, { stage_id });
  const { workspace_id, id: conversation_id, contact_id, stage_id: previous_stage_id } = conversation;
  const detail = { of: 'conversation', stage_id, previous_stage_id };
  await triggerWorkflows(tx, clock, [
    { workspace_id, trigger: 'stage_changed', conversation_id, contact_id, detail, depth },
  ]);
}
