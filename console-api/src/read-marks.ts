import { type Static, Type } from 'typebox';
import { inConversation, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** How many unread messages are counted. */
export const mostUnread = 100;
/** How many conversations one request may ask about. */
export const mostMarks = 100;

/** How far a person has read a conversation. */
export const ReadMark = Type.Object({
  conversation_id: text(),
  last_read_message_id: Type.Optional(text('Absent before the first mark, and where everything was marked as unread.')),
  unread_count: Type.Integer({
    description: `The messages of the contact after the mark, counted up to ${mostUnread}.`,
  }),
});
export type ReadMark = Static<typeof ReadMark>;

const reply = { status: 200, body: ReadMark } as const;

export const readMarkOperations = {
  listReadMarks: defineConsoleOperation({
    id: 'listReadMarks',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/read-marks',
    audience: 'agent',
    summary: "List the person's read marks of these conversations; unknown and hidden ones are left out",
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      conversation_ids: Type.String({ bound: 'long', description: `Up to ${mostMarks} ids, separated by commas.` }),
    }),
    reply: { status: 200, body: Type.Object({ data: Type.Array(ReadMark) }) },
    refusals: ['unprocessable_content'],
  }),
  setReadMark: defineConsoleOperation({
    id: 'setReadMark',
    method: 'PUT',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/read-mark',
    audience: 'agent',
    summary: 'Mark a conversation as read up to a message; an earlier message than the mark changes nothing',
    idempotent: false,
    params: inConversation,
    body: Type.Object({ last_read_message_id: text() }),
    reply,
    refusals: ['not_found', 'unprocessable_content'],
  }),
  markUnread: defineConsoleOperation({
    id: 'markUnread',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/mark-unread',
    audience: 'agent',
    summary: 'Mark a conversation as unread from a message on',
    idempotent: false,
    params: inConversation,
    body: Type.Object({
      first_unread_message_id: Type.Optional(text('By default the last message of the contact.')),
    }),
    reply,
    refusals: ['not_found', 'unprocessable_content'],
  }),
};
