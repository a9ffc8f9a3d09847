import { type Static, Type } from 'typebox';
import { ConversationState } from './conversation-state.ts';
import { Draft } from './drafts.ts';
import { inConversation } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { Proposal } from './proposals.ts';
import { ScheduledMessage } from './scheduled-messages.ts';
import { SendGate } from './send-gate.ts';

/** What the header and the composer of a conversation show, so that opening one is one request. */
export const ConversationOpening = Type.Object({
  state: ConversationState,
  gate: SendGate,
  drafts: Type.Array(Draft, { description: 'Of the person, of both kinds.' }),
  scheduled: Type.Array(ScheduledMessage, { description: 'Those that wait for their time or were refused at it.' }),
  proposals: Type.Array(Proposal, { description: 'Those that wait for a decision, the oldest first.' }),
});
export type ConversationOpening = Static<typeof ConversationOpening>;

export const conversationOpeningOperations = {
  getConversationOpening: defineConsoleOperation({
    id: 'getConversationOpening',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/opening',
    audience: 'agent',
    summary:
      'Read the state of a conversation, whether it takes a message now, the own drafts, the scheduled messages and the proposals',
    idempotent: false,
    params: inConversation,
    reply: { status: 200, body: ConversationOpening },
    refusals: ['not_found'],
  }),
};
