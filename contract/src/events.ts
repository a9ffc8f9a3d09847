import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { dateTime, text } from './fields.ts';
import { Message, MessageStatus } from './messages.ts';
import { Template } from './templates.ts';

/** The date of the contract: `api_version` of every event and the version of the OpenAPI document. */
export const apiVersion = '2026-11-20';

/** The header of every webhook request: `t=<unix_seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`. */
export const signatureHeader = 'Service-Signature';

const { id, direction, kind, body } = Message.properties;
const conversation = Type.Object({ id: text() });

export const MessageReceived = Type.Object(
  { message: Type.Object({ id, direction, kind, body }), conversation },
  { title: 'MessageReceived' },
);
export type MessageReceived = Static<typeof MessageReceived>;

export const MessageStatusUpdated = Type.Object(
  { message: Type.Object({ id, direction, kind, body, status: MessageStatus }), conversation },
  { title: 'MessageStatusUpdated' },
);
export type MessageStatusUpdated = Static<typeof MessageStatusUpdated>;

/** The contract does not show this shape. It holds the fields of `Template`. */
export const TemplateStatusUpdated = Type.Object({ template: Template }, { title: 'TemplateStatusUpdated' });
export type TemplateStatusUpdated = Static<typeof TemplateStatusUpdated>;

const inbound = { id: examples.ids.inbound_message, direction: 'inbound', kind: 'text', body: 'When will it arrive?' };
const outbound = { id: examples.ids.message, direction: 'outbound', kind: 'text', body: 'Your order is on its way.' };

export const events = {
  'message.received': {
    summary: 'A contact sent a message',
    description: 'The service stored an inbound message.',
    data: MessageReceived,
    example: { message: inbound, conversation: { id: examples.ids.conversation } },
  },
  'message.status_updated': {
    summary: 'The status of a message changed',
    description: 'The delivery status of a message changed. A status that the platform skipped has no event.',
    data: MessageStatusUpdated,
    example: {
      message: { ...outbound, status: 'delivered' },
      conversation: { id: examples.ids.conversation },
    },
  },
  'template.status_updated': {
    summary: 'A template was reviewed',
    description: 'The channel platform changed the status of a template.',
    data: TemplateStatusUpdated,
    example: { template: examples.template },
  },
} as const;

export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as readonly EventType[];

/** The body of every webhook request. Receivers detect repeats by `id` and order events by `created_at`. */
export const EventEnvelope = Type.Object(
  {
    id: text('The same on every attempt.'),
    type: text('The event type.'),
    created_at: dateTime('The time of the event.'),
    workspace_id: text(),
    api_version: text('The date of the contract that the event follows.'),
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'Event' },
);
export type EventEnvelope = Static<typeof EventEnvelope>;
