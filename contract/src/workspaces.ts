import { type Static, Type } from 'typebox';
import { examples } from './examples.ts';
import { date, oneOf, text } from './fields.ts';
import { defineOperation } from './operation.ts';

export const Workspace = Type.Object(
  {
    id: text(),
    name: text(),
    industry: Type.Optional(text()),
    country: Type.Optional(text('ISO 3166-1 alpha-2.')),
    timezone: Type.Optional(text('An IANA name.')),
    language: Type.Optional(text()),
    plan: Type.Optional(text()),
  },
  { title: 'Workspace' },
);
export type Workspace = Static<typeof Workspace>;

export const Key = Type.Object(
  {
    workspace_id: text(),
    workspace_name: text(),
    environment: oneOf(['test', 'live'], 'The label of the key.'),
    key_prefix: text('The leading characters of the key.'),
    scopes: Type.Array(Type.String()),
  },
  { title: 'Key' },
);
export type Key = Static<typeof Key>;

export const Wallet = Type.Object(
  {
    balance_minor: Type.Integer({ description: 'The balance in minor units of the currency.' }),
    currency: Type.Optional(text('ISO 4217.')),
  },
  { title: 'Wallet' },
);
export type Wallet = Static<typeof Wallet>;

export const Usage = Type.Object(
  {
    messages_sent: Type.Integer(),
    ai_credits: Type.Integer(),
    seats: Type.Integer(),
    conversations: Type.Object({
      marketing: Type.Integer(),
      utility: Type.Integer(),
      service: Type.Integer(),
    }),
  },
  { title: 'Usage' },
);
export type Usage = Static<typeof Usage>;

export const workspaceOperations = {
  getKey: defineOperation({
    id: 'getKey',
    method: 'GET',
    path: '/v1/me',
    label: 'Available',
    summary: 'Read the API key',
    description: 'The workspace, the environment and the scopes of the key in the request.',
    idempotent: false,
    reply: { status: 200, body: Key },
    refusals: [],
    example: {
      reply: {
        workspace_id: examples.ids.workspace,
        workspace_name: 'Acme',
        environment: 'test',
        key_prefix: 'mj_test_4fT2',
        scopes: ['messages:write', 'contacts:read'],
      },
    },
  }),

  getWorkspace: defineOperation({
    id: 'getWorkspace',
    method: 'GET',
    path: '/v1/workspace',
    label: 'Available',
    summary: 'Read the workspace',
    description: 'The workspace of the key.',
    idempotent: false,
    reply: { status: 200, body: Workspace },
    refusals: [],
    example: {
      reply: {
        id: examples.ids.workspace,
        name: 'Acme',
        industry: 'retail',
        country: 'OM',
        timezone: 'Asia/Muscat',
        language: 'ar',
        plan: 'growth',
      },
    },
  }),

  getWallet: defineOperation({
    id: 'getWallet',
    method: 'GET',
    path: '/v1/wallet',
    label: 'Beta',
    summary: 'Read the wallet',
    description: 'The prepaid balance that pays the conversation fees of the channel platform.',
    idempotent: false,
    reply: { status: 200, body: Wallet },
    refusals: [],
    example: { reply: { balance_minor: 500000, currency: 'OMR' } },
  }),

  getUsage: defineOperation({
    id: 'getUsage',
    method: 'GET',
    path: '/v1/usage',
    label: 'Coming soon',
    summary: 'Read the usage of a period',
    description: 'Messages, AI credits, seats and platform conversations from one date to another.',
    idempotent: false,
    query: Type.Object({ from: date('The first day.'), to: date('The last day.') }),
    reply: { status: 200, body: Usage },
    refusals: ['unprocessable_content'],
    example: {
      query: { from: '2026-11-01', to: '2026-11-30' },
      reply: {
        messages_sent: 12840,
        ai_credits: 310,
        seats: 6,
        conversations: { marketing: 250, utility: 1904, service: 3120 },
      },
    },
  }),
};
