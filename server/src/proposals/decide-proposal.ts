import type { ProposalEndReason } from '@majlis/console-api';
import type { ConversationMessageSend } from '@majlis/contract';
import { isAnsweredByPerson } from '../ai/answers/find-answer-task.ts';
import { recordAcceptedAnswer } from '../ai/answers/record-answer.ts';
import { continueRunJob } from '../automation/jobs.ts';
import { endProposal, lockProposal, type ProposalRow, setProposalMessage } from '../automation/proposals.ts';
import { lockConversation } from '../conversations/queries.ts';
import { limitedUserOf, refuseHidden } from '../conversations/refuse-hidden.ts';
import type { Viewer } from '../conversations/require-conversation.ts';
import { Outdated, type Transaction } from '../database/transaction.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { sendMessages } from '../messages/accept/send-messages.ts';
import type { Clock } from '../process/clock.ts';
import { acceptInRun } from '../workflows/run/accept-in-run.ts';
import { endRun, findEndReason } from '../workflows/run/advance-run.ts';
import type { RunLimits } from '../workflows/run/limit-runs.ts';
import { type LockedRun, lockRun } from '../workflows/run/lock-run.ts';
import { findRunTurn } from '../workflows/run/run-queries.ts';
import { isMessage, type ShownProposal } from './present.ts';
import { requireProposal } from './read-proposals.ts';

export interface DecisionContext {
  clock: Clock;
  limits: RunLimits;
}

/** What became of a request to decide. `row` is the proposal as it is now. */
export interface Decision {
  row: ShownProposal;
  is_changed: boolean;
}

/**
 * Does what is proposed, under the rules of this moment: the message or the step, the decision and what follows in the run are
 * one commit. A refusal that is thrown leaves the proposal waiting. One that is answered comes with the end of the proposal. Of
 * two people at once one decides, and the other reads who it was.
 */
export async function acceptProposal(
  tx: Transaction,
  context: DecisionContext,
  person: Viewer,
  { proposal_id, text }: { proposal_id: string; text?: string | undefined },
): Promise<Decision | Refusal> {
  const { clock } = context;
  const found = await requireProposal(tx, person, proposal_id);
  const run = found.run_id ? await lockRun({ tx, ...context }, { ...found, run_id: found.run_id }) : undefined;
  const proposal = await lockWaiting(tx, person, found);
  if (!proposal) return decidedBefore(tx, person, proposal_id, 'accepted');
  const { workspace_id, id } = proposal;
  const end_reason = await endLate(tx, clock, proposal, run);
  if (end_reason) return new Refusal('already_decided', { detail: describeEnd({ state: 'expired', end_reason }) });
  const content = changeText(proposal, text);
  const is_edited = content !== proposal.content;
  const by = is_edited ? { user_id: person.user_id } : undefined;
  // Before the step, which may close the conversation and so end what still waits in it.
  await endProposal(tx, clock, { workspace_id, id, state: 'accepted', decided_by: person.user_id, is_edited });
  const message_id = run
    ? await acceptInRun(run, content as object, by)
    : await sendAnswer(tx, clock, person, { ...proposal, content }, by);
  if (message_id !== null) await setProposalMessage(tx, { workspace_id, id, message_id });
  return { row: await requireProposal(tx, person, proposal_id), is_changed: true };
}

/** Ends a proposal that makes no sense any more, which nothing has noticed yet. Undefined where it does. */
async function endLate(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id, conversation_id, run_id, answers_message_id }: ProposalRow,
  run: LockedRun | undefined,
): Promise<ProposalEndReason | undefined> {
  const end = run && findEndReason(run);
  if (end) await endRun(run, 'cancelled', end);
  if (end || (run_id && !run)) {
    await endProposal(tx, clock, { workspace_id, id, state: 'expired', end_reason: 'run_ended' });
    return 'run_ended';
  }
  const answered = answers_message_id && { workspace_id, conversation_id, message_id: answers_message_id };
  if (!answered || !(await isAnsweredByPerson(tx, answered))) return undefined;
  await endProposal(tx, clock, { workspace_id, id, state: 'overtaken', end_reason: 'answered' });
  return 'answered';
}

/** Refuses what is proposed. A run goes its other way. */
export async function refuseProposal(
  tx: Transaction,
  { clock }: DecisionContext,
  person: Viewer,
  { proposal_id, reason }: { proposal_id: string; reason?: string | undefined },
): Promise<Decision> {
  const found = await requireProposal(tx, person, proposal_id);
  const proposal = await lockWaiting(tx, person, found);
  if (!proposal) return decidedBefore(tx, person, proposal_id, 'refused');
  const { workspace_id, id, run_id } = proposal;
  const decision_reason = reason?.trim() || null;
  await endProposal(tx, clock, { workspace_id, id, state: 'refused', decided_by: person.user_id, decision_reason });
  const run = run_id === null ? undefined : await findRunTurn(tx, workspace_id, run_id);
  if (run) await enqueueJobs(tx, [continueRunJob({ ...run, run_id: run.id }, clock.now(), false)]);
  return { row: await requireProposal(tx, person, proposal_id), is_changed: true };
}

/** Locks the conversation, then the proposal in it. Undefined if it waits no more. */
async function lockWaiting(
  tx: Transaction,
  person: Viewer,
  { workspace_id, conversation_id, id }: ShownProposal,
): Promise<ProposalRow | undefined> {
  if (!(await lockConversation(tx, workspace_id, conversation_id))) throw new Refusal('not_found');
  await refuseHidden(tx, person, { conversation_id });
  const proposal = await lockProposal(tx, { workspace_id, id });
  if (!proposal) throw new Refusal('not_found');
  if (proposal.conversation_id !== conversation_id) throw new Outdated('a proposal was moved by a merge');
  return proposal.state === 'waiting' ? proposal : undefined;
}

/** A repeated request of the same person finds the decision that it wants. */
async function decidedBefore(
  tx: Transaction,
  person: Viewer,
  proposal_id: string,
  wanted: 'accepted' | 'refused',
): Promise<Decision> {
  const row = await requireProposal(tx, person, proposal_id);
  if (row.state === wanted && row.decided_by === person.user_id) return { row, is_changed: false };
  throw new Refusal('already_decided', { detail: describeEnd(row) });
}

function describeEnd({
  state,
  decider_name,
  end_reason,
}: Pick<ShownProposal, 'state' | 'end_reason'> & { decider_name?: string | null }): string {
  if (state === 'accepted' || state === 'refused') return `${decider_name ?? 'Somebody'} ${state} it.`;
  return `It has ended: ${end_reason}.`;
}

/** The content with the text of the person; the same object without another text. */
function changeText(proposal: ProposalRow, text: string | undefined): unknown {
  const { content } = proposal;
  if (text === undefined || !isMessage(proposal)) {
    if (text === undefined) return content;
    throw invalid({ detail: 'goes with a message alone', pointer: '/text' });
  }
  const message = content as ConversationMessageSend;
  if (message.kind === 'template' || message.kind === 'interactive' || message.kind === 'location') {
    throw invalid({ detail: `does not change a message of the kind ${message.kind}`, pointer: '/text' });
  }
  if (message.kind === 'text' && text.trim() === '') throw invalid({ detail: 'must not be empty', pointer: '/text' });
  return text === (message.body ?? '') ? content : { ...message, body: text };
}

async function sendAnswer(
  tx: Transaction,
  clock: Clock,
  person: Viewer,
  { workspace_id, conversation_id, ai_agent_id, content }: ProposalRow,
  by: { user_id: string } | undefined,
): Promise<string> {
  const id = ai_agent_id!;
  const [message] = await sendMessages(tx, clock, [
    {
      names: { workspace_id, conversation_id },
      content: content as ConversationMessageSend,
      reopens: false,
      actor: by ? { kind: 'user', id: by.user_id } : { kind: 'ai_agent', id },
      bot: { kind: 'ai_agent', id, needs_control: true },
      limited_user_id: limitedUserOf(person),
    },
  ]);
  if (message instanceof Refusal) throw message;
  await recordAcceptedAnswer(tx, clock, { workspace_id, conversation_id, ai_agent_id: id, message_id: message!.id });
  return message!.id;
}
