import { type Static, Type } from 'typebox';
import { eventData } from './event-details.ts';
import { examples } from './examples.ts';
import { dateTime, longText, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { cursor, list, page } from './page.ts';

const url = Type.String({ format: 'uri', bound: 'long', description: 'The address that receives the events.' });
const events = Type.Array(Type.String(), { description: 'The event types to send, or `["*"]` for all.' });

export const WebhookEndpoint = Type.Object(
  {
    id: text(),
    url,
    events,
    enabled: Type.Boolean({ description: 'The service sets `false` after 3 days of consecutive failures.' }),
    secret: Type.Optional(text('The key of the signatures (`whsec_…`). Shown only when the endpoint is registered.')),
    created_at: dateTime('When the endpoint was registered.'),
    event_data: eventData,
  },
  { title: 'WebhookEndpoint' },
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpointCreate = Type.Object(
  { url, events, description: Type.Optional(longText('A note for people.')), event_data: eventData },
  { title: 'WebhookEndpointCreate' },
);
export type WebhookEndpointCreate = Static<typeof WebhookEndpointCreate>;

export const WebhookEndpointUpdate = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    enabled: Type.Optional(Type.Boolean({ description: '`true` resumes delivery.' })),
    event_data: eventData,
  },
  { title: 'WebhookEndpointUpdate' },
);
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>;

export const WebhookDelivery = Type.Object(
  {
    id: text(),
    event_id: text(),
    event_type: text(),
    attempt: Type.Integer({
      description: '1 for the first attempt; 0 where the endpoint was disabled and the service made no attempt.',
    }),
    response_status: Type.Optional(Type.Integer({ description: 'Absent when there was no response.' })),
    duration_ms: Type.Optional(Type.Integer()),
    delivered_at: Type.Optional(dateTime('When the attempt that succeeded was made. Absent after a failed attempt.')),
  },
  { title: 'WebhookDelivery' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryPage = page('WebhookDeliveryPage', WebhookDelivery, 'Attempts of the last 30 days.');

const endpointParams = Type.Object({ endpoint_id: text('The webhook endpoint.') });
const exampleParams = { endpoint_id: examples.ids.webhook_endpoint };
const exampleDelivery: WebhookDelivery = {
  id: examples.ids.webhook_delivery,
  event_id: examples.ids.event,
  event_type: 'message.received',
  attempt: 1,
  response_status: 200,
  duration_ms: 84,
  delivered_at: '2026-11-20T08:58:01Z',
};

export const webhookEndpointOperations = {
  listWebhookEndpoints: defineOperation({
    id: 'listWebhookEndpoints',
    method: 'GET',
    path: '/v1/webhook-endpoints',
    label: 'Coming soon',
    summary: 'List the webhook endpoints',
    description: 'All webhook endpoints of the workspace, without their secrets.',
    idempotent: false,
    reply: { status: 200, body: list('WebhookEndpointList', WebhookEndpoint) },
    refusals: [],
    example: { reply: { data: [examples.webhookEndpoint] } },
  }),

  createWebhookEndpoint: defineOperation({
    id: 'createWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints',
    label: 'Coming soon',
    summary: 'Register a webhook endpoint',
    description:
      'Registers an address for events. The answer holds the secret that signs the requests. No other answer shows it.',
    idempotent: false,
    body: WebhookEndpointCreate,
    reply: { status: 201, body: WebhookEndpoint },
    refusals: ['unprocessable_content'],
    example: {
      body: { url: 'https://hooks.acme.example/majlis', events: ['message.received', 'message.status_updated'] },
      reply: { ...examples.webhookEndpoint, secret: 'whsec_EXAMPLE' },
    },
  }),

  updateWebhookEndpoint: defineOperation({
    id: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: '/v1/webhook-endpoints/{endpoint_id}',
    label: 'Coming soon',
    summary: 'Update a webhook endpoint',
    description: 'Changes the given members. `enabled` `true` resumes delivery.',
    idempotent: false,
    params: endpointParams,
    body: WebhookEndpointUpdate,
    reply: { status: 200, body: WebhookEndpoint },
    refusals: ['not_found', 'unprocessable_content'],
    example: {
      params: exampleParams,
      body: { events: ['*'] },
      reply: { ...examples.webhookEndpoint, events: ['*'] },
    },
  }),

  deleteWebhookEndpoint: defineOperation({
    id: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: '/v1/webhook-endpoints/{endpoint_id}',
    label: 'Coming soon',
    summary: 'Delete a webhook endpoint',
    description: 'Removes the endpoint. It receives no further events.',
    idempotent: false,
    params: endpointParams,
    reply: { status: 204 },
    refusals: ['not_found'],
    example: { params: { endpoint_id: examples.ids.old_webhook_endpoint } },
  }),

  testWebhookEndpoint: defineOperation({
    id: 'testWebhookEndpoint',
    method: 'POST',
    path: '/v1/webhook-endpoints/{endpoint_id}/test',
    label: 'Coming soon',
    summary: 'Test a webhook endpoint',
    description: 'Posts one signed test event to the endpoint and answers with the attempt. Takes no body.',
    idempotent: false,
    params: endpointParams,
    reply: { status: 200, body: WebhookDelivery },
    refusals: ['not_found'],
    example: { params: exampleParams, reply: exampleDelivery },
  }),

  listWebhookDeliveries: defineOperation({
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhook-endpoints/{endpoint_id}/deliveries',
    label: 'Coming soon',
    summary: 'List the delivery attempts of a webhook endpoint',
    description: 'The attempts of the last 30 days, for debugging and manual replay.',
    idempotent: false,
    params: endpointParams,
    query: Type.Object({ cursor }),
    reply: { status: 200, body: WebhookDeliveryPage },
    refusals: ['not_found', 'unprocessable_content'],
    example: { params: exampleParams, reply: { data: [exampleDelivery], has_more: false } },
  }),
};
