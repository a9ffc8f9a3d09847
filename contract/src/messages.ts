import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { comingSoon, dateTime, longText, oneOf, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { cursor, page } from './page.ts';

const sendableKinds = [
  'text',
  'image',
  'video',
  'file',
  'voice',
  'template',
  'location',
  'interactive',
  'reaction',
] as const;

export const SendableKind = oneOf(
  [...sendableKinds],
  'The kind of the message. A closed window accepts `template` alone.',
);
export type SendableKind = Static<typeof SendableKind>;

export const MessageStatus = oneOf(
  ['queued', 'sent', 'delivered', 'read', 'failed'],
  'The delivery status. Absent on notes and on inbound messages.',
);
export type MessageStatus = Static<typeof MessageStatus>;

export const Message = Type.Object(
  {
    id: text(),
    conversation_id: text(),
    direction: text('`inbound` from the contact, `outbound` to the contact.'),
    kind: oneOf([...sendableKinds, 'note'], 'The kind of the message. Only the team sees a `note`.'),
    body: Type.Optional(longText('The text, or the caption of media.')),
    caption: Type.Optional(text('The caption of media.')),
    media_id: Type.Optional(text('The file, for `GET /v1/media/{media_id}`.')),
    filename: Type.Optional(text()),
    mime: Type.Optional(text()),
    size_bytes: Type.Optional(Type.Integer()),
    reply_to_id: Type.Optional(text('The earlier message that this message quotes.')),
    actor_kind: Type.Optional(text('The kind of sender that `actor_id` names.')),
    actor_id: Type.Optional(text()),
    status: Type.Optional(MessageStatus),
    error: Type.Optional(text('The reason of a failure, with the numeric code of the channel platform.')),
    created_at: dateTime('When the service stored the message.'),
  },
  { title: 'Message' },
);
export type Message = Static<typeof Message>;

export const MessagePage = page('MessagePage', Message, 'Oldest first. The first page holds the newest messages.');

export const MessageTemplate = Type.Object(
  {
    name: Type.Optional(text('The name of an approved template.')),
    language: Type.Optional(text('The language of the template.')),
    params: Type.Optional(Type.Array(longText(), { description: 'Values for `{{1}}`, `{{2}}` and so on, in order.' })),
    header_media_id: Type.Optional(
      Type.String({ ...comingSoon, description: 'The file of an image, video or document header.' }),
    ),
  },
  { title: 'MessageTemplate' },
);
export type MessageTemplate = Static<typeof MessageTemplate>;

export const Interactive = Type.Object(
  {
    type: Type.Optional(
      Type.Enum(['buttons', 'list', 'request_contact_info'], {
        type: 'string',
        // It asks the contact for their number, and has no choices: docs/decisions.md.
        beyond: ['request_contact_info'],
        description: 'The form in which the choices are shown.',
      }),
    ),
    buttons: Type.Optional(
      Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }), {
        description:
          'The choices, each `{id, title}`; in a list also `description`. The shape of the channel platform, ' +
          '`{type: "reply", reply: {id, title}}`, is taken too. What the platform refuses is refused with 422.',
      }),
    ),
  },
  { title: 'Interactive', ...comingSoon },
);
export type Interactive = Static<typeof Interactive>;

export const Location = Type.Object(
  {
    latitude: Type.Optional(Type.Number()),
    longitude: Type.Optional(Type.Number()),
    name: Type.Optional(text()),
    address: Type.Optional(longText()),
  },
  { title: 'Location', ...comingSoon },
);
export type Location = Static<typeof Location>;

const content = {
  kind: SendableKind,
  body: Type.Optional(longText('The text, or the caption of media.')),
  media_id: Type.Optional(text('A file uploaded by `POST /v1/media`.')),
  reply_to_id: Type.Optional(text('An earlier message to quote.')),
  template: Type.Optional(MessageTemplate),
  interactive: Type.Optional(Interactive),
  location: Type.Optional(Location),
};

export const ConversationMessageSend = Type.Object(content, { title: 'ConversationMessageSend' });
export type ConversationMessageSend = Static<typeof ConversationMessageSend>;

export const MessageSend = Type.Object(
  {
    channel_id: Type.Optional(text('The sending number. Optional when the workspace has one channel.')),
    to: Type.Optional(text('The recipient: for chatapp a phone number, E.164. Required unless `contact_id` is given.')),
    contact_id: Type.Optional(text('The recipient as a contact, instead of `to`.')),
    ...content,
  },
  { title: 'MessageSend' },
);
export type MessageSend = Static<typeof MessageSend>;

export const messageOperations = {
  sendMessage: defineOperation({
    id: 'sendMessage',
    method: 'POST',
    path: '/v1/messages',
    label: 'Beta',
    summary: 'Send a message to a recipient',
    description:
      'Finds or creates the contact and the conversation of the recipient, stores the message and answers with ' +
      '`status` `queued`. Delivery follows by `message.status_updated` events. Outside the 24-hour window, and to a ' +
      'contact who has never written, only `kind` `template` is accepted. A marketing template needs the opt-in of ' +
      'the contact, `consents.chatapp_marketing`. A closed conversation is reopened.',
    idempotent: true,
    limit: 'sends',
    scope: 'messages:write',
    body: MessageSend,
    reply: { status: 201, body: Message },
    refusals: [
      'insufficient_scope',
      'window_closed',
      'contact_blocked',
      'bot_in_control',
      'idempotency_conflict',
      'unprocessable_content',
      'template_not_found',
      'media_not_found',
    ],
    example: {
      body: {
        to: '+96891234567',
        kind: 'template',
        template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] },
      },
      reply: { ...examples.message, kind: 'template', body: 'Hello Muna, your order A-1042 has left.' },
    },
  }),

  getMessage: defineOperation({
    id: 'getMessage',
    method: 'GET',
    path: '/v1/messages/{message_id}',
    label: 'Beta',
    summary: 'Read a message',
    description: 'The message with its latest status and, when it failed, the reason of the channel platform.',
    idempotent: false,
    params: Type.Object({ message_id: text('The message.') }),
    reply: { status: 200, body: Message },
    refusals: ['not_found'],
    example: {
      params: { message_id: examples.ids.message },
      reply: { ...examples.message, status: 'delivered' },
    },
  }),

  listConversationMessages: defineOperation({
    id: 'listConversationMessages',
    method: 'GET',
    path: '/v1/conversations/{conversation_id}/messages',
    label: 'Available',
    summary: 'List the messages of a conversation',
    description:
      'The first page holds the newest messages; later pages hold older ones. Within a page the oldest message comes ' +
      'first. Notes are listed among the messages.',
    idempotent: false,
    params: Type.Object({ conversation_id: text('The conversation.') }),
    query: Type.Object({ cursor }),
    reply: { status: 200, body: MessagePage },
    refusals: ['not_found', 'unprocessable_content'],
    example: {
      params: { conversation_id: examples.ids.conversation },
      reply: { data: [examples.inboundMessage, examples.message], has_more: false },
    },
  }),

  sendConversationMessage: defineOperation({
    id: 'sendConversationMessage',
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/messages',
    label: 'Available',
    summary: 'Reply in a conversation',
    description:
      'Sends to the contact of the conversation, through its channel. Stores the message and answers with `status` ' +
      '`queued`; delivery follows by `message.status_updated` events. In a closed window only `kind` `template` is ' +
      'accepted. A closed conversation must be reopened first.',
    idempotent: true,
    limit: 'sends',
    scope: 'messages:write',
    params: Type.Object({ conversation_id: text('The conversation.') }),
    body: ConversationMessageSend,
    reply: { status: 201, body: Message },
    refusals: [
      'insufficient_scope',
      'not_found',
      'window_closed',
      'conversation_closed',
      'contact_blocked',
      'bot_in_control',
      'idempotency_conflict',
      'unprocessable_content',
      'template_not_found',
      'media_not_found',
    ],
    example: {
      params: { conversation_id: examples.ids.conversation },
      body: { kind: 'text', body: 'Your order is on its way.', reply_to_id: examples.ids.inbound_message },
      reply: { ...examples.message, reply_to_id: examples.ids.inbound_message },
    },
  }),
};
