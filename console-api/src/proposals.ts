import { ConversationMessageSend } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { mostCountedProposals } from './bounds.ts';
import { dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const proposalStates = ['waiting', 'accepted', 'refused', 'expired', 'overtaken'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** The steps of a workflow that can wait for a person's yes. An AI agent proposes a message alone. */
export const proposedActions = [
  'send_message',
  'send_template',
  'ask',
  'close',
  'assign',
  'set_tag',
  'clear_tag',
  'set_stage',
] as const;
export type ProposedAction = (typeof proposedActions)[number];

export const proposalEndReasons = [
  'customer_wrote',
  'answered',
  'conversation_closed',
  'taken_over',
  'contact_blocked',
  'run_ended',
  'time_over',
] as const;
export type ProposalEndReason = (typeof proposalEndReasons)[number];

/** What an AI agent or a workflow wants to do, and a person decides. */
export const Proposal = Type.Object({
  id: text(),
  conversation_id: text(),
  contact_name: Type.Optional(text()),
  contact_handle: Type.Optional(text()),
  proposed_by: Type.Object({
    kind: Type.Enum(['ai_agent', 'workflow'], { type: 'string' }),
    id: text(),
    name: Type.Optional(text()),
    run_id: Type.Optional(text('Of a workflow.')),
  }),
  action: Type.Enum([...proposedActions], { type: 'string' }),
  content: Type.Optional(ConversationMessageSend),
  preview: Type.Optional(text('The text that the customer would read. Absent for a file without a caption.')),
  file: Type.Optional(Type.Object({ mime: text(), filename: Type.Optional(text()) })),
  change: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Of what is no message: the members of the step, with the values of their variables.',
    }),
  ),
  answers: Type.Optional(text('The text of the customer that it answers.')),
  sources: Type.Array(Type.String(), { description: 'The knowledge that the agent read.' }),
  state: Type.Enum([...proposalStates], { type: 'string' }),
  end_reason: Type.Optional(
    Type.Enum([...proposalEndReasons], { type: 'string', description: 'Why it ended without a decision.' }),
  ),
  decided_by: Type.Optional(Type.Object({ user_id: text(), name: Type.Optional(text()) })),
  decision_reason: Type.Optional(text('Why it was refused.')),
  is_edited: Type.Boolean({ description: 'Accepted with another text, in the name of the person.' }),
  message_id: Type.Optional(text('The message that became of it.')),
  created_at: dateTime(),
  due_at: Type.Optional(dateTime('Until when the workflow waits.')),
  ended_at: Type.Optional(dateTime()),
});
export type Proposal = Static<typeof Proposal>;

const path = '/console/v1/workspaces/{workspace_id}/proposals';
const params = Type.Object({ workspace_id: text(), proposal_id: text() });
const reply = { status: 200, body: Proposal } as const;

export const proposalOperations = {
  listProposals: defineConsoleOperation({
    id: 'listProposals',
    method: 'GET',
    path,
    audience: 'agent',
    summary: 'List what AI agents and workflows propose and nobody has decided, the oldest first',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      cursor: Type.Optional(text()),
      limit: Type.Optional(Type.Integer({ minimum: 1 })),
      conversation_id: Type.Optional(text()),
    }),
    reply: { status: 200, body: page(Proposal) },
    refusals: ['unprocessable_content'],
  }),
  countProposals: defineConsoleOperation({
    id: 'countProposals',
    method: 'GET',
    path: `${path}/count`,
    audience: 'agent',
    summary: 'Count the proposals that wait for a decision',
    idempotent: false,
    params: inWorkspace,
    reply: {
      status: 200,
      body: Type.Object({ waiting: Type.Integer({ description: `At most ${mostCountedProposals}.` }) }),
    },
    refusals: [],
  }),
  getProposal: defineConsoleOperation({
    id: 'getProposal',
    method: 'GET',
    path: `${path}/{proposal_id}`,
    audience: 'agent',
    summary: 'Read a proposal, also one that was decided or has ended lately',
    idempotent: false,
    params,
    reply,
    refusals: ['not_found'],
  }),
  acceptProposal: defineConsoleOperation({
    id: 'acceptProposal',
    method: 'POST',
    path: `${path}/{proposal_id}/accept`,
    audience: 'agent',
    summary: 'Do what is proposed, under the rules of this moment; where they refuse it, the proposal waits on',
    idempotent: false,
    params,
    body: Type.Object({
      text: Type.Optional(
        Type.String({ bound: 'long', description: 'Another text of the message. The person is its author then.' }),
      ),
    }),
    reply,
    refusals: [
      'not_found',
      'already_decided',
      'window_closed',
      'conversation_closed',
      'contact_blocked',
      'bot_in_control',
      'unprocessable_content',
      'template_not_found',
      'media_not_found',
    ],
  }),
  refuseProposal: defineConsoleOperation({
    id: 'refuseProposal',
    method: 'POST',
    path: `${path}/{proposal_id}/refuse`,
    audience: 'agent',
    summary: 'Refuse a proposal; a workflow goes its other way',
    idempotent: false,
    params,
    body: Type.Object({ reason: Type.Optional(Type.String({ bound: 'long', description: 'For the team.' })) }),
    reply,
    refusals: ['not_found', 'already_decided'],
  }),
};
