import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** The longest text that a search may have, and the longest page. */
export const mostSearchLetters = 200;
export const mostFoundMessages = 50;

/** A message with the words of a search. */
export const FoundMessage = Type.Object({
  message_id: text(),
  conversation_id: text(),
  contact_name: Type.Optional(text()),
  contact_handle: Type.Optional(text()),
  direction: text(),
  kind: text('A note of the team has the kind `note`.'),
  snippet: text('One line around the first hit, of the text or the name of the file.'),
  matches: Type.Array(Type.Object({ start: Type.Integer(), end: Type.Integer() }), {
    description: 'The hits in the snippet, in UTF-16 units; the end is behind the last one.',
  }),
  unreadable_type: Type.Optional(text('As in the thread.')),
  created_at: dateTime(),
});
export type FoundMessage = Static<typeof FoundMessage>;

const MessageSearchPage = page(FoundMessage);
export type MessageSearchPage = Static<typeof MessageSearchPage>;

export const messageSearchOperations = {
  searchMessages: defineConsoleOperation({
    id: 'searchMessages',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/message-search',
    audience: 'agent',
    summary: 'Search messages and notes by the beginnings of their words, newest first; a page may be short and go on',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      q: text(`Words in any order, case and Arabic spelling. Up to ${mostSearchLetters} characters.`),
      written_by: Type.Optional(Type.Enum(['contact', 'business', 'note'], { type: 'string' })),
      since: Type.Optional(dateTime()),
      until: Type.Optional(dateTime('Messages before it.')),
      cursor: Type.Optional(text()),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: `Up to ${mostFoundMessages}.` })),
    }),
    reply: { status: 200, body: MessageSearchPage },
    refusals: ['unprocessable_content'],
  }),
};
