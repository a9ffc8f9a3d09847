import { type Static, Type } from 'typebox';
import { draftKinds } from './drafts.ts';
import { dateTime, inConversation, inWorkspace, nothing, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** A presence ends so long after its last renewal at the latest. */
export const mostPresenceSeconds = 30;

const Typing = Type.Enum([...draftKinds], { type: 'string', description: 'Absent: the person only views.' });

/** A person who views a conversation. */
export const Presence = Type.Object({
  conversation_id: text(),
  user_id: text(),
  typing: Type.Optional(Typing),
  expires_at: dateTime("By the server's clock."),
});
export type Presence = Static<typeof Presence>;

const list = { status: 200, body: Type.Object({ data: Type.Array(Presence) }) } as const;

export const presenceOperations = {
  listPresences: defineConsoleOperation({
    id: 'listPresences',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/presences',
    audience: 'agent',
    summary: 'List who views which conversation now',
    idempotent: false,
    params: inWorkspace,
    reply: list,
    refusals: [],
  }),
  listConversationPresences: defineConsoleOperation({
    id: 'listConversationPresences',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/presences',
    audience: 'agent',
    summary: 'List who views a conversation and who types in it',
    idempotent: false,
    params: inConversation,
    reply: list,
    refusals: ['not_found'],
  }),
  setPresence: defineConsoleOperation({
    id: 'setPresence',
    method: 'PUT',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/presence',
    audience: 'agent',
    summary: 'Say that the person views a conversation, or types in it; repeated while it lasts',
    idempotent: false,
    params: inConversation,
    body: Type.Object({
      typing: Type.Optional(Typing),
      expires_in_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: mostPresenceSeconds })),
      left_conversation_id: Type.Optional(text('The conversation that the person has left for this one.')),
    }),
    reply: { status: 200, body: Presence },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  endPresence: defineConsoleOperation({
    id: 'endPresence',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/presence',
    audience: 'agent',
    summary: 'Say that the person has left a conversation',
    idempotent: false,
    params: inConversation,
    reply: nothing,
    refusals: ['not_found'],
  }),
};
