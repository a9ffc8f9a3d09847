import { Conversation } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inConversation, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** What people see of a conversation besides the members of the contract. */
export const ConversationState = Type.Object({
  snoozed_until: Type.Optional(dateTime('Present while the conversation is snoozed.')),
  bot: Type.Optional(
    Type.Object(
      { kind: Type.Enum(['ai_agent', 'workflow'], { type: 'string' }), id: text(), name: text() },
      { description: 'Who has control, while a bot has it and is known by name.' },
    ),
  ),
  held_by_platform: Type.Optional(
    Type.Literal(true, {
      description: "The bot in control is the platform's own agent. A person who writes takes over.",
    }),
  ),
});
export type ConversationState = Static<typeof ConversationState>;

const nullable = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...(description !== undefined && { description }) });

/** `expected`: what the action has set. `restored`: what was before; a `status` of `open` takes back the own closing. */
const Restorable = Type.Object({
  assignee_id: Type.Optional(nullable()),
  team_id: Type.Optional(nullable()),
  stage_id: Type.Optional(nullable()),
  snoozed_until: Type.Optional(nullable('A time, or null: not snoozed.')),
  status: Type.Optional(Type.Enum(['open', 'closed'], { type: 'string' })),
});
export type Restorable = Static<typeof Restorable>;

export const ClosingCategory = Type.Object({ id: text(), name: text() });
export type ClosingCategory = Static<typeof ClosingCategory>;

export const conversationStateOperations = {
  listClosingCategories: defineConsoleOperation({
    id: 'listClosingCategories',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/closing-categories',
    audience: 'agent',
    summary: 'List the closing reasons, in their order',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(ClosingCategory) }) },
    refusals: [],
  }),
  getConversationState: defineConsoleOperation({
    id: 'getConversationState',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/state',
    audience: 'agent',
    summary: 'Read until when a conversation is snoozed, and which bot has control',
    idempotent: false,
    params: inConversation,
    reply: { status: 200, body: ConversationState },
    refusals: ['not_found'],
  }),
  restoreConversation: defineConsoleOperation({
    id: 'restoreConversation',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/restore',
    audience: 'agent',
    summary: 'Undo an assignment, a closing or a snooze, unless somebody has changed it meanwhile',
    idempotent: true,
    params: inConversation,
    body: Type.Object({
      expected: Restorable,
      restored: Restorable,
    }),
    reply: { status: 200, body: Conversation },
    refusals: ['not_found', 'changed_meanwhile', 'idempotency_conflict', 'unprocessable_content'],
  }),
};
