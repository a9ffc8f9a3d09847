import { BroadcastCreate } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { PriceQuote } from './price-quote.ts';
import { SendVerdict } from './send-gate.ts';

export const Quote = Type.Object({
  ...PriceQuote.properties,
  verdict: Type.Optional({ ...SendVerdict, description: 'Of one message: whether it would be accepted now.' }),
});
export type Quote = Static<typeof Quote>;

const { template, audience } = BroadcastCreate.properties;

export const quoteOperations = {
  quotePrice: defineConsoleOperation({
    id: 'quotePrice',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/quote',
    audience: 'agent',
    takes_lists: true,
    summary: 'Read what a message, or the messages to an audience, would cost now; nothing is stored',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({
      conversation_id: Type.Optional(text()),
      contact_id: Type.Optional(text()),
      to: Type.Optional(text('A phone number.')),
      channel_id: Type.Optional(text()),
      template: Type.Optional(template),
      audience: Type.Optional(audience),
    }),
    reply: { status: 200, body: Quote },
    refusals: ['not_found', 'unprocessable_content', 'template_not_found', 'role_insufficient', 'content_too_large'],
  }),
};
