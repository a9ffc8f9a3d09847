import type { ProposalEndReason, ProposalState, ProposedAction } from '@majlis/console-api';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Clock } from '../process/clock.ts';
import { continueRun } from './jobs.ts';

/** What an AI agent or a step of a workflow run proposes. */
export interface ProposalRow {
  workspace_id: string;
  id: string;
  conversation_id: string;
  ai_agent_id: string | null;
  workflow_id: string | null;
  run_id: string | null;
  action: ProposedAction;
  content: unknown;
  preview: string | null;
  media_id: string | null;
  sources: string[];
  answers_message_id: string | null;
  state: ProposalState;
  end_reason: ProposalEndReason | null;
  decided_by: string | null;
  decision_reason: string | null;
  is_edited: boolean;
  message_id: string | null;
  created_at: Date;
  due_at: Date | null;
  ended_at: Date | null;
}

export type NewProposal = Omit<
  ProposalRow,
  'state' | 'end_reason' | 'decided_by' | 'decision_reason' | 'is_edited' | 'message_id' | 'ended_at'
>;

/** Its conversation is locked. */
export async function insertProposal(tx: Transaction, proposal: NewProposal): Promise<void> {
  const values = { ...proposal, content: JSON.stringify(proposal.content), state: 'waiting' };
  await run(tx, build.insertInto('proposals').values(values));
}

const lockOne = statement<ProposalRow>(`
  select workspace_id, id, conversation_id, ai_agent_id, workflow_id, run_id, action, content, preview, media_id, sources,
    answers_message_id, state, end_reason, decided_by, decision_reason, is_edited, message_id, created_at, due_at, ended_at
  from proposals where workspace_id = $1 and id = $2 for update`);

/** The conversation is locked before. */
export async function lockProposal(
  tx: Transaction,
  { workspace_id, id }: Pick<ProposalRow, 'workspace_id' | 'id'>,
): Promise<ProposalRow | undefined> {
  return (await lockOne(tx, [workspace_id, id]))[0];
}

export type ProposalEnd = Pick<ProposalRow, 'workspace_id' | 'id'> & {
  state: Exclude<ProposalState, 'waiting'>;
} & Partial<Pick<ProposalRow, 'end_reason' | 'decided_by' | 'decision_reason' | 'is_edited' | 'message_id'>>;

/** Ends a locked proposal. */
export async function endProposal(tx: Transaction, clock: Clock, end: ProposalEnd): Promise<void> {
  const { workspace_id, id, ...values } = end;
  const query = build
    .updateTable('proposals')
    .set({ ...values, ended_at: clock.now() })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where('state', '=', 'waiting');
  await run(tx, query);
}

const updateMessage = statement(`update proposals set message_id = $3 where workspace_id = $1 and id = $2`);

/** Names the message that became of an accepted proposal. */
export async function setProposalMessage(
  tx: Transaction,
  { workspace_id, id, message_id }: { workspace_id: string; id: string; message_id: string },
): Promise<void> {
  await updateMessage(tx, [workspace_id, id, message_id]);
}

interface ConversationKey {
  workspace_id: string;
  id: string;
}

const endOfAgents = statement(`
  update proposals set state = $3, end_reason = $4, ended_at = $5
  where workspace_id = $1 and conversation_id = $2 and state = 'waiting' and ai_agent_id is not null`);

/** Ends the waiting answers of AI agents in a locked conversation. */
export async function endAgentProposals(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: ConversationKey,
  { state, reason }: { state: 'expired' | 'overtaken'; reason: ProposalEndReason },
): Promise<void> {
  await endOfAgents(tx, [workspace_id, id, state, reason, clock.now()]);
}

// A run that people may write beside goes on without a yes: it takes its other way.
const endOfConversation = statement<{ kind: string }>(`
  with ended as (
    update proposals set state = 'expired', end_reason = 'conversation_closed', ended_at = $3
    where workspace_id = $1 and conversation_id = $2 and state = 'waiting' returning run_id
  )
  insert into jobs (kind, group_id, queue_key, payload, run_at)
  select $4, r.workspace_id, r.id, json_build_object('workspace_id', r.workspace_id, 'run_id', r.id,
    'workflow_id', r.workflow_id, 'turn', r.turn)::text, $3
  from ended e join workflow_runs r on r.workspace_id = $1 and r.id = e.run_id and r.status = 'running'
  order by r.id
  returning kind`);

/** Ends all waiting proposals of a conversation that was closed. */
export async function endProposalsOfClosed(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: ConversationKey,
): Promise<void> {
  const jobs = await endOfConversation(tx, [workspace_id, id, clock.now(), continueRun]);
  for (const { kind } of jobs) tx.announce(kind);
}

const endOfContact = statement(`
  update proposals p set state = 'expired', end_reason = 'contact_blocked', ended_at = $3
  from conversations c
  where c.workspace_id = $1 and c.contact_id = $2 and p.workspace_id = c.workspace_id and p.conversation_id = c.id
    and p.state = 'waiting'`);

/** Ends all waiting proposals to a blocked contact. */
export async function endProposalsOfContact(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<void> {
  await endOfContact(tx, [workspace_id, id, clock.now()]);
}

const moveOfRuns = statement(`
  update proposals p set conversation_id = m.to_id
  from json_to_recordset($2) as m (run_id uuid, to_id uuid)
  where p.workspace_id = $1 and p.run_id = m.run_id and p.state = 'waiting'`);

/** The proposals of runs that continue in another conversation, after a merge. */
export async function moveProposals(
  tx: Transaction,
  workspace_id: string,
  moved: readonly { run_id: string; to_id: string }[],
): Promise<void> {
  if (moved.length > 0) await moveOfRuns(tx, [workspace_id, JSON.stringify(moved)]);
}

const deleteOfConversations = statement<{ media_id: string | null }>(`
  delete from proposals where workspace_id = $1 and conversation_id = any ($2::uuid[]) returning media_id`);

/** Answers the files that they named. */
export async function deleteProposals(
  tx: Transaction,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<string[]> {
  const deleted = await deleteOfConversations(tx, [workspace_id, conversation_ids]);
  return [...new Set(deleted.flatMap(({ media_id }) => media_id ?? []))];
}
