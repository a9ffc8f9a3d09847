import { type Static, Type } from 'typebox';
import { eventData } from './event-details.ts';
import { EventEnvelope } from './events.ts';
import { examples } from './examples.ts';
import { longText, text } from './fields.ts';
import type { Operation } from './operation.ts';
import { list } from './page.ts';

/** The refusals of extensions, beside the closed catalogue of the contract. */
export const extensionErrors = {
  position_too_old: { status: 410, title: 'The events behind this position are no longer all stored' },
} as const;

export type ExtensionErrorCode = keyof typeof extensionErrors;

/** An operation under `/v1` that the contract does not have. Another implementation need not offer it. */
export interface ExtensionOperation extends Operation {
  readonly extension: true;
  /** Whether the reply may stay open as a stream of server-sent events. */
  readonly streams?: true;
  readonly extension_refusals: readonly ExtensionErrorCode[];
}

export const EventFeedPage = Type.Object(
  {
    data: Type.Array(EventEnvelope, { description: 'In the order of the feed, which never changes.' }),
    next_position: text('The `after` of the next request. It is valid for 30 days.'),
    has_more: Type.Boolean({ description: 'Whether more events are stored already.' }),
  },
  { title: 'EventFeedPage' },
);
export type EventFeedPage = Static<typeof EventFeedPage>;

export const KnowledgePassage = Type.Object(
  { text: longText(), source: text('The name of the knowledge source.') },
  { title: 'KnowledgePassage' },
);
export type KnowledgePassage = Static<typeof KnowledgePassage>;

export const EventResendResult = Type.Object(
  { deliveries: Type.Integer({ description: 'How many deliveries were started.' }) },
  { title: 'EventResendResult' },
);
export type EventResendResult = Static<typeof EventResendResult>;

const eventParams = Type.Object({ event_id: text('The event.') });
const receivedEvent = {
  id: examples.ids.event,
  type: 'message.received',
  created_at: '2026-11-20T08:58:00Z',
  workspace_id: examples.ids.workspace,
  api_version: '2026-11-20',
  data: {
    message: { id: examples.ids.inbound_message, direction: 'inbound', kind: 'text', body: 'When will it arrive?' },
    conversation: { id: examples.ids.conversation },
  },
};

export const extensionOperations = {
  searchKnowledge: defineExtension({
    id: 'searchKnowledge',
    extension: true,
    method: 'GET',
    path: '/v1/ai/knowledge-sources/search',
    label: 'Beta',
    summary: 'Search the knowledge',
    description: 'The passages of the knowledge sources that share the most words with the text, the best first.',
    idempotent: false,
    query: Type.Object({
      q: Type.String({ bound: 'long', description: 'The text to search for.' }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The largest number of passages. Absent: 6. At most 20.' }),
      ),
    }),
    reply: { status: 200, body: list('KnowledgePassageList', KnowledgePassage) },
    refusals: ['unprocessable_content'],
    extension_refusals: [],
    example: {
      query: { q: 'delivery time', limit: 1 },
      reply: { data: [{ text: 'Orders arrive within two days.', source: 'https://acme.example/delivery' }] },
    },
  }),

  listEvents: defineExtension({
    id: 'listEvents',
    extension: true,
    streams: true,
    method: 'GET',
    path: '/v1/events',
    label: 'Beta',
    summary: 'Read the feed of events',
    description:
      'The events of the workspace in one order that never changes, for receivers without a public address and for those ' +
      'that were away. No event appears before a position that was returned, so a reader that continues behind ' +
      '`next_position` misses none. With `wait_seconds` the answer waits for the next event. With ' +
      '`Accept: text/event-stream` the answer is a stream: each event has its position as `id`, and `Last-Event-ID` ' +
      'continues behind it.',
    idempotent: false,
    query: Type.Object({
      after: Type.Optional(
        text('A position: `next_position` of the last answer. Absent: the oldest stored event. `latest`: from now on.'),
      ),
      types: Type.Optional(
        text('The types of events to return, with commas between them. Absent: the three types of the contract.'),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: 'The largest number of events to return.' })),
      wait_seconds: Type.Optional(
        Type.Integer({ minimum: 0, description: 'How long to wait for the first event. At most 30 seconds.' }),
      ),
      event_data: eventData,
    }),
    reply: { status: 200, body: EventFeedPage },
    refusals: ['unprocessable_content'],
    extension_refusals: ['position_too_old'],
    example: {
      query: { types: 'message.received', wait_seconds: 30 },
      reply: {
        data: [receivedEvent],
        next_position: examples.cursor,
        has_more: false,
      },
    },
  }),

  getEvent: defineExtension({
    id: 'getEvent',
    extension: true,
    method: 'GET',
    path: '/v1/events/{event_id}',
    label: 'Beta',
    summary: 'Read an event',
    description: 'The envelope of the event as receivers get it. Events are stored for 30 days.',
    idempotent: false,
    params: eventParams,
    query: Type.Object({ event_data: eventData }),
    reply: { status: 200, body: EventEnvelope },
    refusals: ['not_found', 'unprocessable_content'],
    extension_refusals: [],
    example: { params: { event_id: examples.ids.event }, reply: receivedEvent },
  }),

  resendEvent: defineExtension({
    id: 'resendEvent',
    extension: true,
    method: 'POST',
    path: '/v1/events/{event_id}/resend',
    label: 'Beta',
    summary: 'Deliver an event once more',
    description:
      'Starts the delivery to each enabled webhook endpoint that the event was meant for, or to the named one, again with the ' +
      'whole schedule of attempts. The event keeps its id.',
    idempotent: false,
    params: eventParams,
    body: Type.Object(
      { endpoint_id: Type.Optional(text('Only to this webhook endpoint, whether the event was meant for it or not.')) },
      { title: 'EventResend' },
    ),
    reply: { status: 202, body: EventResendResult },
    refusals: ['not_found', 'unprocessable_content'],
    extension_refusals: [],
    example: {
      params: { event_id: examples.ids.event },
      body: {},
      reply: { deliveries: 1 },
    },
  }),
};

function defineExtension<const O extends ExtensionOperation>(operation: O): O {
  return operation;
}
