import { insertProposal } from '../../automation/proposals.ts';
import type { LockedConversation } from '../../conversations/queries.ts';
import { newId, parseId } from '../../database/ids.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { mediaNamedIn } from '../../messages/accept/compose-content.ts';
import { previewSend } from '../../messages/accept/send-messages.ts';
import { refuseBeyond } from '../../workspaces/within-quota.ts';
import type { ProposableStep } from '../definition/definition.ts';
import { readDuration } from '../definition/read-duration.ts';
import { expandValue, type VariableScope } from '../run/expand.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { ensureConversation } from './ensure-conversation.ts';
import { composeStepContent, isSending, toSendOfRun } from './send-step.ts';
import { type StepFailure, type StepOutcome, sendRefused, stepFailed } from './step-outcome.ts';

/** Stores what a step would do, for a person to decide. What no time will change fails now, such as an unknown template. */
export async function proposeStep(locked: LockedRun, step: ProposableStep, scope: VariableScope): Promise<StepOutcome> {
  const { tx, clock, run, limits } = locked;
  const conversation = await ensureConversation(locked);
  if (!conversation) return stepFailed('The contact is on no channel.');
  const proposed = await composeProposed(locked, conversation, step, scope);
  if ('type' in proposed) return proposed;
  const { workspace_id, workflow_id, id: run_id } = run;
  const now = clock.now();
  const due_at = new Date(now.getTime() + readDuration(step.approval_within!)! * 1000);
  const proposal = {
    ...{ workspace_id, id: newId(clock), conversation_id: conversation.id, ai_agent_id: null, workflow_id, run_id },
    ...{ action: step.do, ...proposed, sources: [], answers_message_id: null, created_at: now, due_at },
  };
  const holder = { workspace_id, kind: 'proposals' } as const;
  const beyond = await refuseBeyond(tx, limits.quotas, holder, Buffer.byteLength(JSON.stringify(proposed.content)));
  if (beyond) return sendRefused(beyond);
  await insertProposal(tx, proposal);
  return { type: 'proposed', proposal_id: proposal.id, due_at };
}

interface Proposed {
  content: object;
  preview: string | null;
  media_id: string | null;
}

async function composeProposed(
  locked: LockedRun,
  conversation: LockedConversation,
  step: ProposableStep,
  scope: VariableScope,
): Promise<Proposed | StepFailure> {
  if (!isSending(step)) return { content: expandMembers(step, scope), preview: null, media_id: null };
  const send = toSendOfRun(locked, conversation, composeStepContent(step, scope));
  if (send instanceof Refusal) return sendRefused(send);
  const composed = await previewSend(locked.tx, locked.clock, send);
  if (composed instanceof Refusal) return sendRefused(composed);
  const media = mediaNamedIn(send.content);
  const media_id = media === undefined ? undefined : parseId('media', media);
  return { content: send.content, preview: composed.body, media_id: media_id ?? null };
}

// Members with nested steps, and those that say how the step is performed.
const kept = new Set(['do', 'name', 'approval_within', 'on_refusal', 'on_error']);

function expandMembers(step: ProposableStep, scope: VariableScope): object {
  const members = Object.entries(step).filter(([member]) => !kept.has(member));
  return Object.fromEntries(members.map(([member, value]) => [member, expandValue(value, scope)]));
}
