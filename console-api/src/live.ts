import type { OperationId } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, text } from './fields.ts';
import { InboxRow } from './inbox.ts';
import { defineConsoleOperation } from './operation.ts';

/**
 * What a stream tells, and an operation that whoever is told must be allowed: it reads the changed object or its conversations.
 * `status` is a message that changed, `mention` a note that names the person, `assignment` a conversation with another assignee
 * or team, `handover` one that a bot has given to people, `settings` a team, a list or a setting of the workspace. Of read marks, drafts and notification settings, the person alone is told.
 */
export const liveKinds = {
  conversation: 'getConversation',
  assignment: 'getConversation',
  message: 'getMessage',
  status: 'getMessage',
  note: 'getMessage',
  mention: 'getMessage',
  handover: 'getConversation',
  typing: 'getConversation',
  contact: 'getContact',
  contact_import: 'importContacts',
  broadcast: 'getBroadcast',
  channel: 'getChannel',
  template: 'getTemplate',
  member: 'listUsers',
  presence: 'getConversation',
  read_mark: 'getConversation',
  reply_draft: 'getConversation',
  note_draft: 'getConversation',
  scheduled_message: 'getConversation',
  proposal: 'getConversation',
  notification_settings: 'listConversations',
  saved_view: 'listConversations',
  canned_reply: 'listConversations',
  settings: 'getWorkspace',
} as const satisfies Record<string, OperationId>;

export type LiveKind = keyof typeof liveKinds;

/**
 * A change, by ids alone: the console reads the object again, so that its rights are checked again. With `in_row`, the `row` of its
 * conversation came before it, as it is after the change, or shows nothing of it: no list need be read again. `message_id` is present for
 * messages and notes, and `user_id` for members, presence and typing. What changes often comes with its values.
 */
export const LiveChange = Type.Object({
  kind: Type.Enum([...(Object.keys(liveKinds) as LiveKind[])], { type: 'string' }),
  workspace_id: text(),
  conversation_id: Type.Optional(text()),
  message_id: Type.Optional(text()),
  contact_id: Type.Optional(text()),
  import_id: Type.Optional(text()),
  broadcast_id: Type.Optional(text()),
  channel_id: Type.Optional(text()),
  template_id: Type.Optional(text()),
  user_id: Type.Optional(text()),
  status: Type.Optional(text('Of `status`: the status of the message by now.')),
  typing: Type.Optional(text('Of `typing`: reply or note.')),
  expires_at: Type.Optional(dateTime('Of `presence` and `typing`. Absent: the person has left the conversation.')),
  last_read_message_id: Type.Optional(text('Of `read_mark`.')),
  unread_count: Type.Optional(
    Type.Integer({
      description: 'Of `read_mark`. Of `conversation`: the team has read it, and nothing else has changed.',
    }),
  ),
  version: Type.Optional(text('Of `reply_draft` and `note_draft`. Absent: the draft was sent or deleted.')),
  view_id: Type.Optional(text()),
  canned_reply_id: Type.Optional(text()),
  scheduled_message_id: Type.Optional(text()),
  proposal_id: Type.Optional(text()),
  in_row: Type.Optional(Type.Literal(true)),
});
export type LiveChange = Static<typeof LiveChange>;

/**
 * A conversation as the inbox of the person shows it now, before the changes that led to it. It has no id: after a cut the changes are
 * told again. Where many conversations change at once, there are no rows, and lists are read.
 */
export const LiveRow = Type.Object({
  kind: Type.Literal('row'),
  workspace_id: text(),
  conversation_id: text(),
  is_snoozed: Type.Boolean({ description: 'It is hidden from the lists of open conversations.' }),
  row: InboxRow,
});
export type LiveRow = Static<typeof LiveRow>;

/** The conversation is gone, or the person may not see it any more. */
export const LiveRemoval = Type.Object({
  kind: Type.Literal('removed'),
  workspace_id: text(),
  conversation_id: text(),
});
export type LiveRemoval = Static<typeof LiveRemoval>;

/** The first event. What is read after it is complete together with the events that follow. */
export const LiveReady = Type.Object({
  kind: Type.Literal('ready'),
  now: dateTime("The server's clock."),
  version: text(
    'The version of the service, and of the console that it serves: `0.1.0+5f2c91aa0b1c`. Another console reloads.',
  ),
  workspaces: Type.Array(text()),
});
export type LiveReady = Static<typeof LiveReady>;

/** Everything must be read again: changes are missing, or the person has other rights. The stream goes on. */
export const LiveReset = Type.Object({
  kind: Type.Literal('reset'),
  reason: Type.Enum(['too_old', 'rights'], { type: 'string' }),
});
export type LiveReset = Static<typeof LiveReset>;

/** The last event. After `restart` the console connects again, after the other reasons it reads the session. */
export const LiveEnd = Type.Object({
  kind: Type.Literal('ended'),
  reason: Type.Enum(['signed_out', 'not_a_member', 'restart'], { type: 'string' }),
});
export type LiveEnd = Static<typeof LiveEnd>;

export type LiveEvent = LiveChange | LiveRow | LiveRemoval | LiveReady | LiveReset | LiveEnd;

export const liveOperations = {
  openStream: defineConsoleOperation({
    id: 'openStream',
    method: 'GET',
    path: '/console/v1/stream',
    audience: 'person',
    summary: 'Follow the changes in all workspaces of the person, as server-sent events',
    idempotent: false,
    query: Type.Object({ after: Type.Optional(text('The id of the last event, in the place of `Last-Event-ID`.')) }),
    reply: { status: 200 },
    streams: true,
    refusals: ['too_many_streams', 'service_unavailable'],
  }),
};
