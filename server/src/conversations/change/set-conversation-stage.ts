import { type RunChain, triggerWorkflows } from '../../automation/trigger-workflows.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, unknownReference } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { holdByPublicId } from '../find-by-public-id.ts';
import { type LockedConversation, updateConversation } from '../queries.ts';
import type { Actor } from './record-changes.ts';

/** Moves a conversation to a stage; null removes the stage. */
export async function setConversationStage(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  { stage_id }: { stage_id?: string | null },
  actor: Actor,
): Promise<void> {
  if (stage_id === undefined) return;
  const stage = stage_id && (await holdByPublicId(tx, 'stage', conversation.workspace_id, stage_id));
  if (stage_id !== null && !stage) throw invalid(unknownReference('names no stage', '/stage_id'));
  await moveToStage(tx, clock, conversation, stage ?? null, { actor });
}

/** Moves it to a stage by id. `chain`: the workflow runs that caused the move. */
export async function moveToStage(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  stage_id: string | null,
  { actor, chain }: { actor: Actor; chain?: RunChain },
): Promise<void> {
  if (conversation.stage_id === stage_id) return;
  const { workspace_id, id: conversation_id, contact_id, stage_id: previous_stage_id } = conversation;
  await updateConversation(tx, clock, conversation, { stage_id }, { actor });
  const detail = { of: 'conversation', stage_id, previous_stage_id };
  const event = { workspace_id, conversation_id, contact_id, detail, chain };
  await triggerWorkflows(tx, clock, [{ ...event, trigger: 'stage_changed' }], actor);
}
