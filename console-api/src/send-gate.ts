import { type Static, Type } from 'typebox';
import { dateTime, inConversation, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { PriceQuote } from './price-quote.ts';

export const SendVerdict = Type.Object({
  allowed: Type.Boolean(),
  code: Type.Optional(text('With which a send would be refused now.')),
  detail: Type.Optional(text('The details of the refusal.')),
  pointer: Type.Optional(text('The member of the send that it refuses, such as /channel_id.')),
});
export type SendVerdict = Static<typeof SendVerdict>;

/** What the rules of sends say about the next message of a conversation. */
export const SendGate = Type.Object({
  now: dateTime("The server's clock."),
  window_expires_at: Type.Optional(dateTime('Present while the 24-hour window has been opened.')),
  free: { ...SendVerdict, description: 'Of every kind but a template.' },
  template: { ...SendVerdict, description: 'Of a template that is no marketing.' },
  marketing: { ...SendVerdict, description: 'Of a template of the category marketing.' },
  channel_trouble: Type.Optional(
    text('Why messages of the channel may fail, as the platform says. Sends are accepted all the same.'),
  ),
  outside_hours: Type.Optional(
    Type.Object(
      { opens: Type.Optional(text('By the clocks of the workspace: 2026-11-26T09:00.')) },
      { description: 'Present while the business is closed.' },
    ),
  ),
  price: Type.Optional({
    ...PriceQuote,
    description: 'Of a message that is no template. Absent where the operator has set no prices.',
  }),
  takes_over: Type.Optional(
    Type.Literal(true, { description: "A message takes the conversation from the platform's own agent." }),
  ),
  newest_reply_id: Type.Optional(text('The newest message of the business.')),
});
export type SendGate = Static<typeof SendGate>;

export const sendGateOperations = {
  getSendGate: defineConsoleOperation({
    id: 'getSendGate',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/gate',
    audience: 'agent',
    summary: 'Read whether a message of a conversation would be accepted now, and why not',
    idempotent: false,
    params: inConversation,
    reply: { status: 200, body: SendGate },
    refusals: ['not_found'],
  }),
};
