import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** How many messages, and how many conversations, one request may name. */
export const mostNoticed = 100;

const ids = (description: string) => Type.Optional(Type.String({ bound: 'long', description }));

/** What a person is told in a notification. The browser shows it and keeps nothing of it. */
export const Notice = Type.Object({
  kind: Type.Enum(['message', 'mention', 'handover'], { type: 'string' }),
  conversation_id: text(),
  message_id: Type.Optional(text('Of `message` and `mention`.')),
  contact_name: Type.Optional(text()),
  contact_handle: Type.Optional(text()),
  author_name: Type.Optional(text('Of `mention`: who wrote the note.')),
  message_kind: Type.Optional(text()),
  body: Type.Optional(text('Of `message` and `mention`: the first 160 characters.')),
  unreadable_type: Type.Optional(text('As in the thread.')),
  created_at: dateTime(),
});
export type Notice = Static<typeof Notice>;

export const noticeOperations = {
  listNotices: defineConsoleOperation({
    id: 'listNotices',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/notices',
    audience: 'agent',
    summary: 'List which of these messages and hand-overs notify the person now, by their settings',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      message_ids: ids(`Messages and notes that were just told: up to ${mostNoticed} ids, separated by commas.`),
      handed_over: ids(`Conversations that a bot gave to people: up to ${mostNoticed} ids, separated by commas.`),
    }),
    reply: {
      status: 200,
      body: Type.Object({
        data: Type.Array(Notice, { description: 'Oldest first. Empty in quiet hours.' }),
        sound: Type.Boolean(),
        desktop: Type.Boolean(),
      }),
    },
    refusals: ['unprocessable_content'],
  }),
  countUnread: defineConsoleOperation({
    id: 'countUnread',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/unread-count',
    audience: 'agent',
    summary: 'Count the open conversations with unread messages that are assigned to the person or to nobody',
    idempotent: false,
    params: inWorkspace,
    reply: {
      status: 200,
      body: Type.Object({ conversations: Type.Integer({ description: 'Among the latest 1000.' }) }),
    },
    refusals: [],
  }),
};
