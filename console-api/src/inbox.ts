import { Conversation } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { mostCounted, mostRows } from './bounds.ts';
import { dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { ViewFilter } from './saved-views.ts';

/** The last message of a conversation, as its row in the list shows it. */
export const MessagePreview = Type.Object({
  direction: text(),
  kind: text(),
  body: Type.Optional(text('The first 160 characters.')),
  unreadable_type: Type.Optional(text('As in the thread.')),
  created_at: dateTime(),
  status: Type.Optional(text()),
  actor_kind: Type.Optional(text('The kind of its author, as in the thread.')),
  user_id: Type.Optional(text('Its author, if a user wrote it.')),
});
export type MessagePreview = Static<typeof MessagePreview>;

export const InboxRow = Type.Object({
  conversation: Conversation,
  listed_at: dateTime('Its place in the lists by activity: the last message, or the creation where there is none.'),
  preview: Type.Optional(MessagePreview),
  own_unread_count: Type.Integer({ description: 'The messages of the contact that the person has not read.' }),
  last_read_message_id: Type.Optional(text('The read mark of the person.')),
  has_draft: Type.Boolean({ description: 'The person has an unsent reply or note in it.' }),
  has_scheduled: Type.Boolean({ description: 'A message waits for its time in it, or was refused at it.' }),
});
export type InboxRow = Static<typeof InboxRow>;

const count = Type.Integer({ description: `Counted up to ${mostCounted}.` });

export const ViewCounts = Type.Object({
  mine: count,
  unassigned: count,
  all: count,
  mentions: Type.Integer({ description: 'The conversations with a mention of the person after their read mark.' }),
  snoozed: count,
  closed: count,
  teams: Type.Array(Type.Object({ team_id: text(), count })),
  saved: Type.Array(Type.Object({ view_id: text(), count })),
  proposals: Type.Integer({ description: 'What waits for a decision, as `countProposals` has it.' }),
});
export type ViewCounts = Static<typeof ViewCounts>;

export const inboxOperations = {
  listInbox: defineConsoleOperation({
    id: 'listInbox',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/inbox',
    audience: 'agent',
    summary: 'List the conversations of a view of the inbox, with what its rows show',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      ...ViewFilter.properties,
      view: Type.Optional(
        text(
          'mine, unassigned or all: open ones, latest first. closed: latest first. snoozed: the next to return first. ' +
            'mentions: latest mention first. team:ID or saved:ID: of a team, or by a saved view. By default all. Filters stand in its ' +
            'place: a query has either.',
        ),
      ),
      cursor: Type.Optional(text()),
      limit: Type.Optional(Type.Integer({ minimum: 1 })),
      rows_of: Type.Optional(
        Type.String({
          bound: 'long',
          description:
            `Up to ${mostRows} conversations, separated by commas. Of the page, \`data\` then has their rows alone, and \`ids\` names ` +
            'every conversation of it: for a reader who has the other rows.',
        }),
      ),
    }),
    reply: {
      status: 200,
      body: Type.Object({
        ...page(InboxRow).properties,
        ids: Type.Optional(
          Type.Array(text(), { description: 'With `rows_of`: all conversations of the page, in its order.' }),
        ),
      }),
    },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  countViews: defineConsoleOperation({
    id: 'countViews',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/view-counts',
    audience: 'agent',
    summary: 'Count the conversations of each view of the inbox',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: ViewCounts },
    refusals: [],
  }),
};
