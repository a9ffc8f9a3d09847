import { ConversationMessageSend } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inConversation, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const scheduledStates = ['scheduled', 'sent', 'failed', 'cancelled'] as const;
export type ScheduledState = (typeof scheduledStates)[number];

/** How many messages of one conversation may wait for their time, failed ones included. */
export const mostScheduledOfConversation = 50;
/** How far ahead a message may be scheduled. */
export const mostDaysAhead = 90;

/** A message that is sent at a later time, under the rules of that moment. */
export const ScheduledMessage = Type.Object({
  id: text(),
  conversation_id: text(),
  user_id: text('Who wrote it as it is now. It is sent in their name.'),
  user_name: Type.Optional(text()),
  content: ConversationMessageSend,
  preview: Type.Optional(text('The text that the customer will read. Absent for a file without a caption.')),
  file: Type.Optional(Type.Object({ mime: text(), filename: Type.Optional(text()) })),
  send_at: dateTime(),
  state: Type.Enum([...scheduledStates], { type: 'string' }),
  version: Type.Integer({ description: 'Another one with each change. The next change names it.' }),
  failure: Type.Optional(
    Type.Object(
      { code: text(), detail: Type.Optional(text()) },
      { description: 'Why it was refused at its time. It stays, and may be changed or sent.' },
    ),
  ),
  message_id: Type.Optional(text('Of a sent one.')),
  created_at: dateTime(),
  changed_at: dateTime(),
});
export type ScheduledMessage = Static<typeof ScheduledMessage>;

const path = '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/scheduled-messages';
const params = Type.Object({ workspace_id: text(), conversation_id: text(), scheduled_message_id: text() });
const version = Type.Integer({ description: 'The version that the person saw.' });
const send_at = dateTime(`In the future, at most ${mostDaysAhead} days ahead.`);
const reply = (status: 200 | 201) => ({ status, body: ScheduledMessage }) as const;

export const scheduledMessageOperations = {
  listScheduledMessages: defineConsoleOperation({
    id: 'listScheduledMessages',
    method: 'GET',
    path,
    audience: 'agent',
    summary: 'List the messages of a conversation that wait for their time or were refused at it, the next first',
    idempotent: false,
    params: inConversation,
    reply: { status: 200, body: Type.Object({ data: Type.Array(ScheduledMessage) }) },
    refusals: ['not_found'],
  }),
  scheduleMessage: defineConsoleOperation({
    id: 'scheduleMessage',
    method: 'POST',
    path,
    audience: 'agent',
    summary: 'Send a message later; whether it may be sent is decided at its time',
    idempotent: true,
    params: inConversation,
    body: Type.Object({ content: ConversationMessageSend, send_at }),
    reply: reply(201),
    refusals: [
      'not_found',
      'limit_reached',
      'idempotency_conflict',
      'unprocessable_content',
      'template_not_found',
      'media_not_found',
    ],
  }),
  getScheduledMessage: defineConsoleOperation({
    id: 'getScheduledMessage',
    method: 'GET',
    path: `${path}/{scheduled_message_id}`,
    audience: 'agent',
    summary: 'Read a scheduled message, also one that was sent or cancelled lately',
    idempotent: false,
    params,
    reply: reply(200),
    refusals: ['not_found'],
  }),
  changeScheduledMessage: defineConsoleOperation({
    id: 'changeScheduledMessage',
    method: 'PATCH',
    path: `${path}/{scheduled_message_id}`,
    audience: 'agent',
    summary: 'Change the content or the time; a failed one waits for its new time again',
    idempotent: false,
    params,
    body: Type.Object({
      version,
      content: Type.Optional(ConversationMessageSend),
      send_at: Type.Optional(dateTime('Required for a failed one.')),
    }),
    reply: reply(200),
    refusals: [
      'not_found',
      'changed_meanwhile',
      'already_sent',
      'limit_reached',
      'unprocessable_content',
      'template_not_found',
      'media_not_found',
    ],
  }),
  cancelScheduledMessage: defineConsoleOperation({
    id: 'cancelScheduledMessage',
    method: 'POST',
    path: `${path}/{scheduled_message_id}/cancel`,
    audience: 'agent',
    summary: 'Cancel a scheduled or failed message',
    idempotent: false,
    params,
    body: Type.Object({ version }),
    reply: reply(200),
    refusals: ['not_found', 'changed_meanwhile', 'already_sent', 'unprocessable_content'],
  }),
  restoreScheduledMessage: defineConsoleOperation({
    id: 'restoreScheduledMessage',
    method: 'POST',
    path: `${path}/{scheduled_message_id}/restore`,
    audience: 'agent',
    summary: 'Take the cancellation of a scheduled message back, unless its time is over',
    idempotent: false,
    params,
    body: Type.Object({ version }),
    reply: reply(200),
    refusals: ['not_found', 'changed_meanwhile', 'already_sent', 'limit_reached', 'unprocessable_content'],
  }),
  sendScheduledMessage: defineConsoleOperation({
    id: 'sendScheduledMessage',
    method: 'POST',
    path: `${path}/{scheduled_message_id}/send`,
    audience: 'agent',
    summary: 'Send a scheduled or failed message now, in the name of the person who does so',
    idempotent: false,
    params,
    body: Type.Object({ version }),
    reply: reply(200),
    refusals: [
      'not_found',
      'changed_meanwhile',
      'window_closed',
      'conversation_closed',
      'contact_blocked',
      'bot_in_control',
      'unprocessable_content',
      'template_not_found',
      'media_not_found',
    ],
  }),
};
