import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { dateTime, longText, text } from './fields.ts';
import { limits } from './limits.ts';
import { defineOperation } from './operation.ts';
import { cursor, page } from './page.ts';

export const BroadcastTemplate = Type.Object(
  { name: text('The name of an approved template.'), language: text('The language of the template.') },
  { title: 'BroadcastTemplate' },
);
export type BroadcastTemplate = Static<typeof BroadcastTemplate>;

export const BroadcastRecipient = Type.Object(
  {
    to: text('A phone number.'),
    params: Type.Optional(Type.Array(longText(), { description: 'Values for `{{1}}`, `{{2}}` and so on, in order.' })),
  },
  { title: 'BroadcastRecipient' },
);
export type BroadcastRecipient = Static<typeof BroadcastRecipient>;

export const BroadcastAudience = Type.Object(
  {
    tags: Type.Optional(Type.Array(Type.String(), { description: 'All contacts that carry one of these tags.' })),
    stage_id: Type.Optional(text('All contacts at this stage.')),
    recipients: Type.Optional(Type.Array(BroadcastRecipient, { maxItems: limits.broadcast_recipients })),
  },
  {
    title: 'BroadcastAudience',
    description: 'Exactly one of the three members. A page of broadcasts shows no `recipients`.',
  },
);
export type BroadcastAudience = Static<typeof BroadcastAudience>;

export const BroadcastCounts = Type.Object(
  {
    total: Type.Integer(),
    queued: Type.Optional(Type.Integer()),
    sent: Type.Integer(),
    delivered: Type.Integer(),
    read: Type.Integer(),
    replied: Type.Integer(),
    failed: Type.Integer(),
  },
  { title: 'BroadcastCounts' },
);
export type BroadcastCounts = Static<typeof BroadcastCounts>;

export const Broadcast = Type.Object(
  {
    id: text(),
    name: text(),
    channel_id: Type.Optional(text()),
    template: BroadcastTemplate,
    audience: BroadcastAudience,
    send_at: Type.Optional(dateTime('The start of sending.')),
    status: text('Such as `scheduled`.'),
    counts: BroadcastCounts,
  },
  { title: 'Broadcast' },
);
export type Broadcast = Static<typeof Broadcast>;

export const BroadcastPage = page('BroadcastPage', Broadcast, 'A page of broadcasts.');

export const BroadcastCreate = Type.Object(
  {
    name: text(),
    channel_id: Type.Optional(text('The sending number. Optional when the workspace has one channel.')),
    template: BroadcastTemplate,
    audience: BroadcastAudience,
    send_at: Type.Optional(dateTime('The start of sending. Absent: now.')),
  },
  { title: 'BroadcastCreate' },
);
export type BroadcastCreate = Static<typeof BroadcastCreate>;

const broadcastParams = Type.Object({ broadcast_id: text('The broadcast.') });
const exampleParams = { broadcast_id: examples.ids.broadcast };

export const broadcastOperations = {
  listBroadcasts: defineOperation({
    id: 'listBroadcasts',
    method: 'GET',
    path: '/v1/broadcasts',
    label: 'Coming soon',
    summary: 'List broadcasts',
    description: 'The broadcasts of the workspace, page by page.',
    idempotent: false,
    query: Type.Object({ cursor }),
    reply: { status: 200, body: BroadcastPage },
    refusals: ['unprocessable_content'],
    example: { reply: { data: [examples.broadcast], has_more: false } },
  }),

  createBroadcast: defineOperation({
    id: 'createBroadcast',
    method: 'POST',
    path: '/v1/broadcasts',
    label: 'Coming soon',
    summary: 'Create a broadcast',
    description:
      'Sends a template to an audience, now or at the given time. Messages are paced to stay inside the messaging ' +
      'tier of the number.',
    idempotent: true,
    limit: 'broadcasts',
    scope: 'messages:write',
    body: BroadcastCreate,
    reply: { status: 201, body: Broadcast },
    refusals: ['insufficient_scope', 'idempotency_conflict', 'unprocessable_content', 'template_not_found'],
    example: {
      body: {
        name: 'National day offer',
        template: { name: 'national_day', language: 'ar' },
        audience: { tags: ['vip-list'] },
        send_at: '2030-11-21T06:00:00Z',
      },
      reply: examples.broadcast,
    },
  }),

  getBroadcast: defineOperation({
    id: 'getBroadcast',
    method: 'GET',
    path: '/v1/broadcasts/{broadcast_id}',
    label: 'Coming soon',
    summary: 'Read a broadcast',
    description: 'The broadcast with its live counts.',
    idempotent: false,
    params: broadcastParams,
    reply: { status: 200, body: Broadcast },
    refusals: ['not_found'],
    example: { params: exampleParams, reply: examples.broadcast },
  }),

  cancelBroadcast: defineOperation({
    id: 'cancelBroadcast',
    method: 'POST',
    path: '/v1/broadcasts/{broadcast_id}/cancel',
    label: 'Coming soon',
    summary: 'Cancel a broadcast',
    description:
      'Stops a scheduled or sending broadcast. Messages that were sent already are not recalled. Takes no body.',
    idempotent: false,
    params: broadcastParams,
    reply: { status: 200, body: Broadcast },
    refusals: ['not_found'],
    example: { params: exampleParams, reply: { ...examples.broadcast, status: 'cancelled' } },
  }),
};
