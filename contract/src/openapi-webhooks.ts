import type { TSchema } from 'typebox';
import { eventDetails } from './event-details.ts';
import { apiVersion, EventEnvelope, signatureHeader } from './events.ts';
import { examples } from './examples.ts';
import { allEvents, extensionEvents } from './extension-events.ts';
import type { Refer } from './openapi-schemas.ts';

/** The webhook requests of the service, one for each event type. */
export function describeWebhooks(refer: Refer): Record<string, unknown> {
  const envelope = refer(EventEnvelope);
  return Object.fromEntries(
    Object.entries(allEvents).map(([type, event]) => [
      type,
      {
        post: {
          operationId: operationId(type),
          summary: event.summary,
          description: event.description,
          'x-availability': 'Coming soon',
          ...(type in extensionEvents && { 'x-extension': true }),
          security: [],
          parameters: [signature],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  allOf: [
                    envelope,
                    {
                      type: 'object',
                      properties: { type: { const: type }, data: describeData(type, event.data, refer) },
                    },
                  ],
                },
                example: {
                  id: examples.ids.event,
                  type,
                  created_at: '2026-11-20T08:58:00Z',
                  workspace_id: examples.ids.workspace,
                  api_version: apiVersion,
                  data: event.example,
                },
              },
            },
          },
          responses: {
            '2XX': { description: 'Received: any 2xx within 10 seconds.' },
            default: {
              description: 'Not received. Retries follow after 1 min, 5 min, 30 min, 2 h, 6 h, 12 h and 24 h.',
            },
          },
        },
      },
    ]),
  );
}

/** All details are optional: only receivers that asked for them get them. */
function describeData(type: string, data: TSchema, refer: Refer): unknown {
  const details = eventDetails[type];
  if (!details) return refer(data);
  return { allOf: [refer(data), refer(details.data)] };
}

const signature = {
  name: signatureHeader,
  in: 'header',
  required: true,
  description:
    '`t=<unix_seconds>,v1=<hex_digest>`: the lowercase hex HMAC-SHA256, keyed with the secret of the endpoint, of `t`, ' +
    'a dot and the raw body. Compare in constant time, and reject a `t` older than five minutes.',
  schema: { type: 'string' },
  example: 't=1795164280,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
};

function operationId(type: string): string {
  return `on_${type}`.replaceAll(/[._](\w)/g, (_match, letter: string) => letter.toUpperCase());
}
