import { type Static, type TSchema, Type } from 'typebox';
import { examples } from './examples.ts';
import { dateTime, text } from './fields.ts';
import { Message } from './messages.ts';

/** Marks a member that the contract does not have, in an operation or an event that it has. */
export const extensionMember = { 'x-extension': true } as const;

/** How much an event carries: what the contract shows, or the details as well. */
export const eventDataForms = ['basic', 'full'] as const;
export type EventDataForm = (typeof eventDataForms)[number];

export const eventData = Type.Optional(
  Type.String({
    ...extensionMember,
    description:
      'An extension: `full` adds the details to the `data` of each event, such as the sender and the file. `basic`, or ' +
      'absent: the contract alone.',
  }),
);

/** The event's contact, with the address of the conversation. */
export const EventContact = Type.Object(
  {
    id: text(),
    name: Type.Optional(text()),
    channel_type: Type.Optional(text()),
    identifier: Type.Optional(text('The address of the contact in the conversation: for chatapp a phone number.')),
  },
  { title: 'EventContact' },
);
export type EventContact = Static<typeof EventContact>;

const { media_id, filename, mime, size_bytes, reply_to_id, actor_kind, actor_id, error } = Message.properties;

export const EventMessageDetails = Type.Object(
  {
    media_id,
    filename,
    mime,
    size_bytes,
    reply_to_id,
    actor_kind,
    actor_id,
    error,
    button_id: Type.Optional(
      text('The `id` of the button or row that the contact chose, or the payload of the quick reply of a template.'),
    ),
    answers: Type.Optional(
      Type.Array(Type.Object({ name: text(), value: text() }), {
        description: 'The answers of a form that the contact submitted, in their order.',
      }),
    ),
    referral: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The advertisement, post or product from which the contact wrote, as the channel platform describes it.',
      }),
    ),
    order: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The order that the contact placed, with its catalogue and its products, as the channel platform describes it.',
      }),
    ),
    interactive: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The content of an interactive message that neither `button_id` nor `answers` tells, as the channel platform ' +
          'describes it.',
      }),
    ),
    created_at: Type.Optional(dateTime('When the service stored the message.')),
  },
  { title: 'EventMessageDetails' },
);
export type EventMessageDetails = Static<typeof EventMessageDetails>;

const contact = Type.Optional(EventContact);
const channel = Type.Optional(Type.Object({ id: text() }));

const ofMessage = Type.Object(
  {
    message: Type.Optional(EventMessageDetails),
    contact,
    channel,
    broadcast: Type.Optional(Type.Object({ id: text() }, { description: 'The broadcast that sent the message.' })),
  },
  { title: 'MessageEventDetails', ...extensionMember },
);
export type MessageEventDetails = Static<typeof ofMessage>;

const ofConversation = Type.Object({ contact, channel }, { title: 'ConversationEventDetails', ...extensionMember });
const ofContact = Type.Object({ contact }, { title: 'ContactEventDetails', ...extensionMember });

const { ids } = examples;
const muna = { id: ids.contact, name: 'Muna', channel_type: 'chatapp', identifier: '+96891234567' };
const conversationDetails = { contact: muna, channel: { id: ids.channel } };
const messageDetails = {
  message: { actor_kind: 'contact', created_at: '2026-11-20T08:58:00Z' },
  ...conversationDetails,
};

/** What `event_data` `full` adds to the `data` of the types. The others have no details. */
export const eventDetails: Readonly<Record<string, { readonly data: TSchema; readonly example: object }>> = {
  'message.received': { data: ofMessage, example: messageDetails },
  'message.status_updated': {
    data: ofMessage,
    example: {
      message: { actor_kind: 'broadcast', actor_id: ids.broadcast, created_at: '2026-11-20T09:00:00Z' },
      ...conversationDetails,
      broadcast: { id: ids.broadcast },
    },
  },
  'note.added': { data: ofMessage, example: { ...conversationDetails, message: { actor_kind: 'user' } } },
  'media.ready': { data: ofMessage, example: { ...messageDetails, message: { filename: 'invoice.jpg' } } },
  'conversation.assigned': { data: ofConversation, example: conversationDetails },
  'conversation.closed': { data: ofConversation, example: conversationDetails },
  'conversation.reopened': { data: ofConversation, example: conversationDetails },
  'conversation.handed_over': { data: ofConversation, example: conversationDetails },
  'contact.created': { data: ofContact, example: { contact: { id: ids.contact, name: 'Muna' } } },
  'contact.updated': { data: ofContact, example: { contact: { id: ids.contact, name: 'Muna' } } },
  'contact.merged': { data: ofContact, example: { contact: { id: ids.contact, name: 'Muna' } } },
};
