import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { date, oneOf, text } from './fields.ts';
import { defineOperation } from './operation.ts';
import { list } from './page.ts';

export const AnalyticsOverview = Type.Object(
  {
    open: Type.Integer(),
    unreplied: Type.Integer(),
    unassigned: Type.Integer(),
    closed: Type.Integer(),
    stages: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'The number of conversations by the id of their stage.',
    }),
  },
  { title: 'AnalyticsOverview' },
);
export type AnalyticsOverview = Static<typeof AnalyticsOverview>;

export const ConversationAnalyticsRow = Type.Object(
  {
    period: Type.Optional(text()),
    new: Type.Optional(Type.Integer()),
    closed: Type.Optional(Type.Integer()),
    first_response_p50_seconds: Type.Optional(Type.Number()),
    resolution_p50_seconds: Type.Optional(Type.Number()),
  },
  // `group_by` adds a member that names the group of the row: see docs/decisions.md.
  { title: 'ConversationAnalyticsRow', additionalProperties: true },
);
export type ConversationAnalyticsRow = Static<typeof ConversationAnalyticsRow>;

export const MessageAnalytics = Type.Object(
  {
    sent: Type.Integer(),
    delivered: Type.Integer(),
    read: Type.Integer(),
    replied: Type.Integer(),
    failed: Type.Integer(),
  },
  { title: 'MessageAnalytics' },
);
export type MessageAnalytics = Static<typeof MessageAnalytics>;

const period = { from: date('The first day.'), to: date('The last day.') };

export const analyticsOperations = {
  getAnalyticsOverview: defineOperation({
    id: 'getAnalyticsOverview',
    method: 'GET',
    path: '/v1/analytics/overview',
    label: 'Beta',
    summary: 'Count the conversations',
    description:
      'The current numbers of open, unreplied, unassigned and closed conversations, and of conversations at each stage.',
    idempotent: false,
    limit: 'analytics',
    reply: { status: 200, body: AnalyticsOverview },
    refusals: [],
    example: {
      reply: { open: 42, unreplied: 7, unassigned: 3, closed: 910, stages: { [examples.ids.stage]: 12 } },
    },
  }),

  getConversationAnalytics: defineOperation({
    id: 'getConversationAnalytics',
    method: 'GET',
    path: '/v1/analytics/conversations',
    label: 'Coming soon',
    summary: 'Analyse the conversations of a period',
    description:
      'New and closed conversations and the median times of first response and resolution, one row for each period.',
    idempotent: false,
    limit: 'analytics',
    query: Type.Object({
      ...period,
      interval: Type.Optional(oneOf(['day', 'week', 'month'], 'The length of the period of a row.')),
      group_by: Type.Optional(
        oneOf(['channel', 'team', 'user', 'stage'], 'The dimension by which the rows are grouped.'),
      ),
    }),
    reply: { status: 200, body: list('ConversationAnalytics', ConversationAnalyticsRow) },
    refusals: ['unprocessable_content'],
    example: {
      query: { from: '2026-11-01', to: '2026-11-30', interval: 'month' },
      reply: {
        data: [
          { period: '2026-11', new: 310, closed: 290, first_response_p50_seconds: 95, resolution_p50_seconds: 5400 },
        ],
      },
    },
  }),

  getMessageAnalytics: defineOperation({
    id: 'getMessageAnalytics',
    method: 'GET',
    path: '/v1/analytics/messages',
    label: 'Coming soon',
    summary: 'Analyse the messages of a period',
    description: 'The numbers of sent, delivered, read, replied and failed messages, of all templates or of one.',
    idempotent: false,
    limit: 'analytics',
    query: Type.Object({ ...period, template: Type.Optional(text('Only messages of this template.')) }),
    reply: { status: 200, body: MessageAnalytics },
    refusals: ['unprocessable_content'],
    example: {
      query: { from: '2026-11-01', to: '2026-11-30', template: 'order_update' },
      reply: { sent: 1200, delivered: 1180, read: 960, replied: 214, failed: 20 },
    },
  }),
};
