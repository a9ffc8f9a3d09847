import { type TSchema, Type } from 'typebox';
import { type EventType, events, eventTypes } from './events.ts';
import { examples } from './examples.ts';
import { longText, nullableText, text } from './fields.ts';

/** An event of a type that the contract does not have. An endpoint gets it only where it names the type: `*` does not. */
export interface ExtensionEvent {
  readonly summary: string;
  readonly description: string;
  readonly data: TSchema;
  readonly example: object;
}

const actor = Type.Object(
  { kind: text('`user`, `api_key`, `workflow`, `ai_agent`, `contact` or `system`.'), id: Type.Optional(text()) },
  { description: 'Who did it. The id of an `api_key` is that of the user who made it.' },
);
const named = Type.Object({ id: text() });
const about = (title: string, members: Record<string, TSchema>) =>
  Type.Object({ conversation: named, ...members, actor }, { title });

const { ids } = examples;
const byUser = { actor: { kind: 'user', id: ids.user } };
const conversation = { id: ids.conversation };
const contact = { id: ids.contact };

export const extensionEvents = {
  'conversation.assigned': {
    summary: 'A conversation was assigned',
    description: 'The user or the team of a conversation changed. Only the members that changed are present.',
    data: about('ConversationAssigned', {
      assignee_id: Type.Optional(nullableText('The user. `null`: nobody any more.')),
      team_id: Type.Optional(nullableText('The team. `null`: none any more.')),
    }),
    example: { conversation, assignee_id: ids.user, ...byUser },
  },
  'conversation.closed': {
    summary: 'A conversation was closed',
    description: 'With the reason and the summary, if given.',
    data: about('ConversationClosed', {
      category_id: Type.Optional(text('The closing reason.')),
      summary: Type.Optional(longText()),
    }),
    example: { conversation, summary: 'Order found and delivered.', ...byUser },
  },
  'conversation.reopened': {
    summary: 'A conversation was reopened',
    description: 'By a user, or by a message of the contact or of the business.',
    data: about('ConversationReopened', {}),
    example: { conversation, actor: { kind: 'contact' } },
  },
  'conversation.handed_over': {
    summary: 'A conversation was handed over',
    description: 'The side that answers changed, or another bot took over.',
    data: about('ConversationHandedOver', { controller: text('`human` or `bot`.') }),
    example: { conversation, controller: 'human', ...byUser },
  },
  'note.added': {
    summary: 'A note was added',
    description: 'Only the team sees notes.',
    data: Type.Object(
      {
        message: Type.Object({ id: text(), body: longText(), actor_id: Type.Optional(text('The user, where known.')) }),
        conversation: named,
      },
      { title: 'NoteAdded' },
    ),
    example: { message: { id: ids.message, body: 'Asked for the invoice.', actor_id: ids.user }, conversation },
  },
  'contact.created': {
    summary: 'A contact was created',
    description: 'By a request, an import or a message.',
    data: Type.Object({ contact: named }, { title: 'ContactCreated' }),
    example: { contact },
  },
  'contact.updated': {
    summary: 'A contact was changed',
    description: 'The values are read by `GET /v1/contacts/{contact_id}`.',
    data: Type.Object(
      { contact: named, changed: Type.Array(Type.String(), { description: 'The names of the changed members.' }) },
      { title: 'ContactUpdated' },
    ),
    example: { contact, changed: ['tags'] },
  },
  'contact.merged': {
    summary: 'Two contacts were merged',
    description: 'The source is deleted. Its identities, tags and conversations moved to the contact.',
    data: Type.Object({ contact: named, source_contact_id: text() }, { title: 'ContactMerged' }),
    example: { contact, source_contact_id: ids.other_contact },
  },
  'contact.erased': {
    summary: 'A contact was erased',
    description: 'Erase what you hold of this contact. The event outlives the erasure, and has the id alone.',
    data: Type.Object({ contact: named }, { title: 'ContactErased' }),
    example: { contact },
  },
  'broadcast.finished': {
    summary: 'A broadcast has no message left to send',
    description:
      'Its last messages may still be under way: the counts are read by `GET /v1/broadcasts/{broadcast_id}`.',
    data: Type.Object(
      { broadcast: Type.Object({ id: text(), status: text('`sent` or `cancelled`.') }) },
      { title: 'BroadcastFinished' },
    ),
    example: { broadcast: { id: ids.broadcast, status: 'sent' } },
  },
  'media.ready': {
    summary: 'The file of a message is here',
    description: 'A file that a contact sent can be downloaded.',
    data: Type.Object(
      {
        media: Type.Object({ id: text(), mime: text(), size_bytes: Type.Integer() }),
        message: named,
        conversation: named,
      },
      { title: 'MediaReady' },
    ),
    example: {
      media: { id: ids.media, mime: 'image/jpeg', size_bytes: 48_213 },
      message: { id: ids.inbound_message },
      conversation,
    },
  },
  'template.quality_updated': {
    summary: 'The quality of a template changed',
    description: 'The rating of the channel platform, as it came.',
    data: Type.Object(
      { template: Type.Object({ id: text(), name: text(), language: text(), quality: nullableText('The rating.') }) },
      { title: 'TemplateQualityUpdated' },
    ),
    example: { template: { id: ids.template, name: 'order_update', language: 'en', quality: 'RED' } },
  },
  'channel.state_updated': {
    summary: 'A channel got into trouble, or out of it',
    description:
      'The status or the quality that the channel platform reports changed, or the platform began or ceased to refuse every ' +
      'call of the channel.',
    data: Type.Object(
      {
        channel: Type.Object({
          id: text(),
          status: Type.Optional(text()),
          quality: Type.Optional(text()),
          fault: Type.Optional(text('Why the platform refuses every call. Absent: it does not.')),
        }),
      },
      { title: 'ChannelStateUpdated' },
    ),
    example: { channel: { id: ids.channel, status: 'CONNECTED', quality: 'RED' } },
  },
} as const satisfies Record<string, ExtensionEvent>;

export type ExtensionEventType = keyof typeof extensionEvents;
export type AnyEventType = EventType | ExtensionEventType;

/** All types: the contract's three and those of this implementation. */
export const allEvents = { ...events, ...extensionEvents };
export const allEventTypes = [...eventTypes, ...Object.keys(extensionEvents)] as readonly AnyEventType[];
