import { WebhookDelivery, WebhookEndpoint, WebhookEndpointUpdate } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

const ofEndpoint = Type.Object({ workspace_id: text(), endpoint_id: text() });

/** An attempt to deliver an event, as the contract lists it, with its time and the reason of a failure. */
export const EndpointAttempt = Type.Object({
  ...WebhookDelivery.properties,
  at: dateTime('When the attempt was made.'),
  reason: Type.Optional(text('Why it failed.')),
});
export type EndpointAttempt = Static<typeof EndpointAttempt>;

export const EndpointState = Type.Object({
  version: text('Of the values that a person changes.'),
  attempts: Type.Integer({
    description: 'Listed attempts, which a deletion takes away; 1,001 where there are more than 1,000.',
  }),
  waiting: Type.Integer({
    description: 'Deliveries that wait for an attempt or a repetition; 1,001 where there are more than 1,000.',
  }),
  description: Type.Optional(text()),
  failing_since: Type.Optional(dateTime('The first failure since the last success.')),
  disabled_after: Type.Optional(dateTime('A failure from then on disables the endpoint.')),
  old_secret_until: Type.Optional(dateTime('Until then deliveries are signed with the old secret as well.')),
});
export type EndpointState = Static<typeof EndpointState>;

/** The longest time in which an old secret stays valid beside the new one. */
export const mostOverlapSeconds = 30 * 86_400;

export const endpointDeliveryOperations = {
  getWebhookEndpointState: defineConsoleOperation({
    id: 'getWebhookEndpointState',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/webhook-endpoints/{endpoint_id}/state',
    audience: 'admin',
    summary: 'Read since when a webhook endpoint fails, and until when its old secret is valid',
    idempotent: false,
    params: ofEndpoint,
    reply: { status: 200, body: EndpointState },
    refusals: ['not_found'],
  }),
  changeWebhookEndpoint: defineConsoleOperation({
    id: 'changeWebhookEndpoint',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/webhook-endpoints/{endpoint_id}/state',
    audience: 'admin',
    summary: 'Change a webhook endpoint, unless somebody changed it since the given version',
    idempotent: false,
    params: ofEndpoint,
    body: Type.Object({ version: text(), ...WebhookEndpointUpdate.properties }),
    reply: { status: 200, body: WebhookEndpoint },
    refusals: ['not_found', 'changed_meanwhile', 'limit_reached', 'unprocessable_content'],
  }),
  listWebhookAttempts: defineConsoleOperation({
    id: 'listWebhookAttempts',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/webhook-endpoints/{endpoint_id}/attempts',
    audience: 'admin',
    summary: 'List the attempts to deliver events to a webhook endpoint, with the reasons of failures, latest first',
    idempotent: false,
    params: ofEndpoint,
    query: Type.Object({ cursor: Type.Optional(text()) }),
    reply: { status: 200, body: page(EndpointAttempt) },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  getEventBody: defineConsoleOperation({
    id: 'getEventBody',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/events/{event_id}',
    audience: 'admin',
    summary: 'Read the body of an event, as receivers get it',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), event_id: text() }),
    reply: { status: 200, body: Type.Object({ body: text('The bytes of the body.') }) },
    refusals: ['not_found'],
  }),
  replayWebhookDeliveries: defineConsoleOperation({
    id: 'replayWebhookDeliveries',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/webhook-endpoints/{endpoint_id}/replays',
    audience: 'admin',
    summary: 'Deliver one event again, or those of a period, or all that the endpoint missed',
    idempotent: false,
    params: ofEndpoint,
    body: Type.Object({
      event_id: Type.Optional(text('This event alone, delivered or not.')),
      from: Type.Optional(dateTime()),
      to: Type.Optional(dateTime()),
      undelivered: Type.Optional(
        Type.Boolean({ description: 'Only events that were not delivered. By default true without a period.' }),
      ),
    }),
    reply: { status: 200, body: Type.Object({ replayed: Type.Integer() }) },
    refusals: ['not_found', 'endpoint_disabled', 'unprocessable_content'],
  }),
  rotateWebhookSecret: defineConsoleOperation({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/webhook-endpoints/{endpoint_id}/rotate-secret',
    audience: 'admin',
    confirmed: true,
    summary: 'Give a webhook endpoint a new secret; the answer alone shows it',
    idempotent: false,
    params: ofEndpoint,
    body: Type.Object({
      overlap_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: mostOverlapSeconds,
          description: 'How long the old secret stays valid. 0 for a secret that leaked. By default a day.',
        }),
      ),
    }),
    reply: {
      status: 200,
      body: Type.Object({ secret: text('Shown once.'), old_secret_until: Type.Optional(dateTime()) }),
    },
    refusals: ['not_found', 'unprocessable_content'],
  }),
};
