import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { ChannelType, comingSoon, dateTime, longText, nullableText, oneOf, text } from './fields.ts';
import { Message } from './messages.ts';
import { defineOperation } from './operation.ts';
import { cursor, limit, page } from './page.ts';

export const ConversationStatus = oneOf(['open', 'closed'], 'A closed conversation refuses replies until reopened.');
export type ConversationStatus = Static<typeof ConversationStatus>;

export const Controller = oneOf(
  ['human', 'bot'],
  'The side that answers. While it is `bot`, replies of users are refused.',
);
export type Controller = Static<typeof Controller>;

export const Conversation = Type.Object(
  {
    id: text(),
    contact_id: text(),
    channel_id: text(),
    channel_type: ChannelType,
    status: ConversationStatus,
    stage_id: Type.Optional(text('The lifecycle stage.')),
    assignee_id: Type.Optional(text('The assigned user. Absent when unassigned.')),
    team_id: Type.Optional(text()),
    controller: Controller,
    unread_count: Type.Integer({ description: 'The number of messages of the contact that the team has not seen.' }),
    tags: Type.Array(Type.String()),
    last_customer_at: Type.Optional(dateTime('When the contact last wrote.')),
    last_message_at: Type.Optional(dateTime('When either side last wrote.')),
    window_expires_at: Type.Optional(
      dateTime('The end of the 24-hour window. Absent while the contact has never written.'),
    ),
    contact_name: Type.Optional(text()),
    contact_handle: Type.Optional(text('The phone number, handle or e-mail address of the contact on this channel.')),
  },
  { title: 'Conversation' },
);
export type Conversation = Static<typeof Conversation>;

export const ConversationPage = page('ConversationPage', Conversation, 'Most recent activity first.');

const conversationParams = Type.Object({ conversation_id: text('The conversation.') });
const exampleParams = { conversation_id: examples.ids.conversation };

export const conversationOperations = {
  listConversations: defineOperation({
    id: 'listConversations',
    method: 'GET',
    path: '/v1/conversations',
    label: 'Available',
    summary: 'List conversations',
    description: 'Conversations that meet all the given filters. A snoozed conversation is left out until it wakes.',
    idempotent: false,
    query: Type.Object({
      status: Type.Optional(ConversationStatus),
      assignee_id: Type.Optional(text('Only those of this user, or `none` for the unassigned ones.')),
      channel_type: Type.Optional(ChannelType),
      stage_id: Type.Optional(text('Only those at this stage.')),
      tag: Type.Optional(text('Only those that carry this tag.')),
      contact_id: Type.Optional(text('Only those of this contact.')),
      q: Type.Optional(text('Text to find in the name of the contact.')),
      limit,
      cursor,
    }),
    reply: { status: 200, body: ConversationPage },
    refusals: ['unprocessable_content'],
    example: {
      query: { status: 'open', assignee_id: examples.ids.user, limit: 1 },
      reply: { data: [examples.conversation], next_cursor: examples.cursor, has_more: true },
    },
  }),

  getConversation: defineOperation({
    id: 'getConversation',
    method: 'GET',
    path: '/v1/conversations/{conversation_id}',
    label: 'Available',
    summary: 'Read a conversation',
    description: 'The conversation, with the end of its 24-hour window.',
    idempotent: false,
    params: conversationParams,
    reply: { status: 200, body: Conversation },
    refusals: ['not_found'],
    example: { params: exampleParams, reply: examples.conversation },
  }),

  assignConversation: defineOperation({
    id: 'assignConversation',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/assign',
    label: 'Available',
    summary: 'Assign a conversation',
    description: 'Assigns the conversation to a user, or to nobody.',
    idempotent: false,
    params: conversationParams,
    body: Type.Object(
      {
        assignee_id: Type.Optional(nullableText('The user. `null` clears the assignment.')),
        team_id: Type.Optional(
          Type.Unsafe<string | null>({ ...nullableText('The team. `null` clears the team.'), ...comingSoon }),
        ),
      },
      { title: 'ConversationAssign' },
    ),
    reply: { status: 200, body: Conversation },
    refusals: ['not_found', 'unprocessable_content'],
    example: { params: exampleParams, body: { assignee_id: examples.ids.user }, reply: examples.conversation },
  }),

  closeConversation: defineOperation({
    id: 'closeConversation',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/close',
    label: 'Available',
    summary: 'Close a conversation',
    description: 'Closes the conversation and records the reason and the summary, if given.',
    idempotent: false,
    scope_with: { member: 'send_csat', is: true, scope: 'messages:write' },
    params: conversationParams,
    body: Type.Object(
      {
        category_id: Type.Optional(text('The closing reason.')),
        summary: Type.Optional(longText('The result of the conversation.')),
        send_csat: Type.Optional(
          Type.Boolean({ ...comingSoon, description: 'Whether to send the contact a satisfaction survey.' }),
        ),
      },
      { title: 'ConversationClose' },
    ),
    reply: { status: 200, body: Conversation },
    refusals: ['insufficient_scope', 'not_found', 'unprocessable_content'],
    example: {
      params: exampleParams,
      body: { category_id: examples.ids.closing_category, summary: 'Order found and delivered.' },
      reply: { ...examples.conversation, status: 'closed' },
    },
  }),

  reopenConversation: defineOperation({
    id: 'reopenConversation',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/reopen',
    label: 'Available',
    summary: 'Reopen a conversation',
    description: 'Opens a closed conversation again. Takes no body.',
    idempotent: false,
    params: conversationParams,
    reply: { status: 200, body: Conversation },
    refusals: ['not_found'],
    example: { params: exampleParams, reply: examples.conversation },
  }),

  setConversationStage: defineOperation({
    id: 'setConversationStage',
    method: 'PUT',
    path: '/v1/conversations/{conversation_id}/stage',
    label: 'Available',
    summary: 'Set the stage of a conversation',
    description: 'Moves the conversation to a lifecycle stage, or clears its stage.',
    idempotent: false,
    starts_workflows: true,
    params: conversationParams,
    body: Type.Object(
      { stage_id: Type.Optional(nullableText('The stage, of `GET /v1/stages`. `null` clears it.')) },
      { title: 'ConversationStage' },
    ),
    reply: { status: 200, body: Conversation },
    refusals: ['insufficient_scope', 'not_found', 'unprocessable_content'],
    example: { params: exampleParams, body: { stage_id: examples.ids.stage }, reply: examples.conversation },
  }),

  handOverConversation: defineOperation({
    id: 'handOverConversation',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/handover',
    label: 'Beta',
    summary: 'Hand a conversation over to a human or a bot',
    description:
      'Gives control of the conversation to a human or to a bot. While a bot controls it, sends of users are refused with 409 ' +
      '`bot_in_control`.',
    idempotent: false,
    scope_with: { member: 'to', is: 'bot', scope: 'messages:write' },
    params: conversationParams,
    body: Type.Object(
      {
        to: oneOf(['human', 'bot'], 'The side that takes control.'),
        ai_agent_id: Type.Optional(text('The AI agent that takes control, when `to` is `bot`.')),
      },
      { title: 'ConversationHandover' },
    ),
    reply: { status: 200, body: Conversation },
    refusals: ['insufficient_scope', 'not_found', 'unprocessable_content'],
    example: {
      params: exampleParams,
      body: { to: 'bot', ai_agent_id: examples.ids.ai_agent },
      reply: { ...examples.conversation, controller: 'bot' },
    },
  }),

  snoozeConversation: defineOperation({
    id: 'snoozeConversation',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/snooze',
    label: 'Coming soon',
    summary: 'Snooze a conversation',
    description: 'Hides the conversation until the given time, or until the contact writes again.',
    idempotent: false,
    params: conversationParams,
    body: Type.Object({ until: dateTime('The end of the snooze.') }, { title: 'ConversationSnooze' }),
    reply: { status: 200, body: Conversation },
    refusals: ['not_found', 'unprocessable_content'],
    example: { params: exampleParams, body: { until: '2030-11-21T05:00:00Z' }, reply: examples.conversation },
  }),

  addConversationNote: defineOperation({
    id: 'addConversationNote',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/notes',
    label: 'Available',
    summary: 'Add a note to a conversation',
    description:
      'Adds a note that the team sees and the contact never does. `@FirstName` in the text notifies that teammate.',
    idempotent: false,
    params: conversationParams,
    body: Type.Object({ body: longText('The text of the note.') }, { title: 'ConversationNote' }),
    reply: { status: 201, body: Message },
    refusals: ['not_found', 'unprocessable_content'],
    example: {
      params: exampleParams,
      body: { body: '@Omar she asked for a call tomorrow.' },
      reply: {
        id: examples.ids.message,
        conversation_id: examples.ids.conversation,
        direction: 'outbound',
        kind: 'note',
        body: '@Omar she asked for a call tomorrow.',
        actor_kind: 'user',
        actor_id: examples.ids.user,
        created_at: '2026-11-20T09:02:00Z',
      },
    },
  }),
};
