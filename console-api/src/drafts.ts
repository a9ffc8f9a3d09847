import { type Static, Type } from 'typebox';
import { dateTime, inConversation, inWorkspace, nothing, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const draftKinds = ['reply', 'note'] as const;
export type DraftKind = (typeof draftKinds)[number];

const Kind = Type.Enum([...draftKinds], { type: 'string' });

/** A send of the draft that was begun. Any browser of the person goes on with it, by the same key. */
export const DraftSend = Type.Object({
  key: text('The idempotency key of the send. Its acceptance deletes the draft.'),
  kind: text(),
  media_id: Type.Optional(text()),
  reply_to_id: Type.Optional(text()),
  seen_reply_id: Type.Optional(text('The newest reply that the person had seen.')),
});
export type DraftSend = Static<typeof DraftSend>;

/** What a person has written and not sent. Nobody else sees it. */
export const Draft = Type.Object({
  conversation_id: text(),
  kind: Kind,
  body: Type.String(),
  version: text('Another one with each change. The next save names it.'),
  updated_at: dateTime(),
  send: Type.Optional(DraftSend),
});
export type Draft = Static<typeof Draft>;

const draftParams = Type.Object({ workspace_id: text(), conversation_id: text(), kind: text('reply or note.') });

export const draftOperations = {
  listDrafts: defineConsoleOperation({
    id: 'listDrafts',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/drafts',
    audience: 'agent',
    summary: 'List the drafts of the person, the latest first',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({ cursor: Type.Optional(text()), limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
    reply: { status: 200, body: page(Draft) },
    refusals: ['unprocessable_content'],
  }),
  listConversationDrafts: defineConsoleOperation({
    id: 'listConversationDrafts',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/drafts',
    audience: 'agent',
    summary: 'List the drafts of the person in a conversation',
    idempotent: false,
    params: inConversation,
    reply: { status: 200, body: Type.Object({ data: Type.Array(Draft) }) },
    refusals: ['not_found'],
  }),
  saveDraft: defineConsoleOperation({
    id: 'saveDraft',
    method: 'PUT',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/drafts/{kind}',
    audience: 'agent',
    summary: 'Save a draft; refused where it was changed elsewhere since',
    idempotent: false,
    params: draftParams,
    body: Type.Object({
      body: Type.String({ bound: 'long' }),
      version: Type.Optional(text('The version that this change began with. Absent for a new draft.')),
      send: Type.Optional(DraftSend),
    }),
    reply: { status: 200, body: Draft },
    refusals: ['not_found', 'draft_outdated', 'limit_reached', 'unprocessable_content'],
  }),
  deleteDraft: defineConsoleOperation({
    id: 'deleteDraft',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/drafts/{kind}',
    audience: 'agent',
    summary: 'Delete a draft; one that is gone already is no fault',
    idempotent: false,
    params: draftParams,
    query: Type.Object({
      version: Type.Optional(text('The version that is meant. A draft that was changed since stays.')),
    }),
    reply: nothing,
    refusals: ['not_found', 'draft_outdated'],
  }),
};
