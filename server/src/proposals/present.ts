import type { Proposal } from '@majlis/console-api';
import type { ConversationMessageSend } from '@majlis/contract';
import type { ProposalRow } from '../automation/proposals.ts';
import { publicId } from '../database/ids.ts';

/** A proposal as it is shown. */
export interface ShownProposal extends ProposalRow {
  contact_name: string | null;
  contact_handle: string | null;
  proposer_name: string | null;
  decider_name: string | null;
  answers: string | null;
  mime: string | null;
  filename: string | null;
}

export function presentProposal(row: ShownProposal): Proposal {
  const { preview, mime, filename, answers, message_id, due_at, ended_at } = row;
  return {
    id: publicId('proposal', row.id),
    conversation_id: publicId('conversation', row.conversation_id),
    ...(row.contact_name !== null && { contact_name: row.contact_name }),
    ...(row.contact_handle !== null && { contact_handle: row.contact_handle }),
    proposed_by: presentProposer(row),
    action: row.action,
    ...presentContent(row),
    ...(preview !== null && { preview }),
    ...(mime !== null && { file: { mime, ...(filename !== null && { filename }) } }),
    ...(answers !== null && { answers }),
    sources: row.sources,
    state: row.state,
    ...(row.end_reason !== null && { end_reason: row.end_reason }),
    ...presentDecision(row),
    is_edited: row.is_edited,
    ...(message_id !== null && { message_id: publicId('message', message_id) }),
    created_at: row.created_at.toISOString(),
    ...(due_at && { due_at: due_at.toISOString() }),
    ...(ended_at && { ended_at: ended_at.toISOString() }),
  };
}

function presentProposer({ ai_agent_id, workflow_id, run_id, proposer_name }: ShownProposal): Proposal['proposed_by'] {
  const name = proposer_name === null ? {} : { name: proposer_name };
  if (ai_agent_id !== null) return { kind: 'ai_agent', id: publicId('ai_agent', ai_agent_id), ...name };
  const run = run_id === null ? {} : { run_id: publicId('workflow_run', run_id) };
  return { kind: 'workflow', id: publicId('workflow', workflow_id!), ...name, ...run };
}

const sending: readonly string[] = ['send_message', 'send_template', 'ask'];

export function isMessage({ action }: Pick<ShownProposal, 'action'>): boolean {
  return sending.includes(action);
}

function presentContent(row: ShownProposal): Pick<Proposal, 'content' | 'change'> {
  return isMessage(row)
    ? { content: row.content as ConversationMessageSend }
    : { change: row.content as Record<string, unknown> };
}

function presentDecision({ decided_by, decider_name, decision_reason }: ShownProposal) {
  return {
    ...(decided_by !== null && {
      decided_by: { user_id: publicId('user', decided_by), ...(decider_name !== null && { name: decider_name }) },
    }),
    ...(decision_reason !== null && { decision_reason }),
  };
}
