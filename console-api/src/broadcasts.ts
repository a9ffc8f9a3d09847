import { Broadcast, BroadcastCreate } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { count, dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { PriceQuote } from './price-quote.ts';

/** A broadcast as the contract shows it, without its recipients, and what people steer it by. */
export const BroadcastState = Type.Object({
  broadcast: Broadcast,
  created_at: dateTime(),
  created_by: Type.Optional(text('The user.')),
  paused: Type.Boolean({
    description: 'Whether recipients are held back. Messages that were handed over before still leave.',
  }),
  paused_at: Type.Optional(dateTime()),
  paused_by: Type.Optional(text('The user.')),
  waiting: count('Recipients without a message: a cancellation or a pause holds back all of them.'),
  handed_over: count(
    'Messages that wait for dispatch or for its outcome. A cancellation stops those not yet dispatched.',
  ),
});
export type BroadcastState = Static<typeof BroadcastState>;

/** The messaging tier of the sending number. */
export const BroadcastPace = Type.Object({
  messaging_tier: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'New customers in 24 hours; null without a known limit.',
    }),
  ),
  places: Type.Optional(count('How many new customers may be written to now. Absent without a known limit.')),
  next_at: Type.Optional(dateTime('When the next place becomes free.')),
});
export type BroadcastPace = Static<typeof BroadcastPace>;

export const BroadcastDetails = Type.Object({
  ...BroadcastState.properties,
  failures: Type.Array(
    Type.Object({
      reason: text('Names the reason in the filter of recipients.'),
      code: Type.Optional(text("The platform's number, or a word of the service.")),
      error: Type.Optional(text('The reason of one of them.')),
      count: count(),
    }),
    { description: 'By reason, the most frequent first.' },
  ),
  pace: BroadcastPace,
});
export type BroadcastDetails = Static<typeof BroadcastDetails>;

/** `sent` has neither been delivered nor read yet; `failed` was refused by Majlis or by the platform. */
export const recipientStatuses = ['waiting', 'queued', 'sent', 'delivered', 'read', 'failed'] as const;
export type RecipientStatus = (typeof recipientStatuses)[number];
export const recipientFilters = [...recipientStatuses, 'replied'] as const;
export type RecipientFilter = (typeof recipientFilters)[number];

export const BroadcastRecipientState = Type.Object({
  to: text(),
  params: Type.Array(text()),
  status: Type.Enum([...recipientStatuses], { type: 'string' }),
  name: Type.Optional(text()),
  contact_id: Type.Optional(text()),
  conversation_id: Type.Optional(text()),
  message_id: Type.Optional(text()),
  replied_at: Type.Optional(dateTime()),
  code: Type.Optional(text("The platform's number, or a word of the service.")),
  error: Type.Optional(text('The reason of a failure.')),
});
export type BroadcastRecipientState = Static<typeof BroadcastRecipientState>;

/** Why a broadcast would not write to somebody. */
export const exclusionReasons = [
  'invalid_phone',
  'wrong_params',
  'repeated',
  'no_number',
  'contact_blocked',
  'opt_in_missing',
  'bot_in_control',
  'other',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];
const Reason = Type.Enum([...exclusionReasons], { type: 'string' });

export const PreviewedRecipient = Type.Object({
  to: text(),
  params: Type.Array(text()),
  name: Type.Optional(text()),
  contact_id: Type.Optional(text()),
  reason: Type.Optional(Reason),
});
export type PreviewedRecipient = Static<typeof PreviewedRecipient>;

export const BroadcastPreview = Type.Object({
  total: count('Entries of the list, or contacts of the audience.'),
  more: Type.Boolean({ description: 'The audience has more contacts than were counted.' }),
  checked: count('How many of them were checked, from the first.'),
  reachable: count('Those of the checked that a message would go to by now.'),
  left_out: Type.Array(Type.Object({ reason: Reason, count: count() }), { description: 'Those of the checked.' }),
  refused_entries: Type.Array(count(), {
    description: 'The places of the entries that no broadcast takes: their number is none, or their values do not fit.',
  }),
  reached_first: Type.Array(PreviewedRecipient, { description: 'The first ones that a message would go to.' }),
  left_out_first: Type.Array(PreviewedRecipient),
  new_customers: count('Those of the reachable that need a place of the messaging tier.'),
  cost: Type.Object(
    {
      category: Type.Optional(text('Of the template.')),
      quote: { ...PriceQuote, description: 'For those of the checked that a message would go to.' },
      balance_minor: Type.Optional(count('Of the wallet, for administrators.')),
    },
    { description: "By the operator's prices. The platform decides for each message whether there is a fee." },
  ),
  pace: BroadcastPace,
});
export type BroadcastPreview = Static<typeof BroadcastPreview>;

const ofBroadcast = Type.Object({ workspace_id: text(), broadcast_id: text() });
const { channel_id, template, audience } = BroadcastCreate.properties;
const path = '/console/v1/workspaces/{workspace_id}/broadcast-states';

export const broadcastOperations = {
  listBroadcastStates: defineConsoleOperation({
    id: 'listBroadcastStates',
    method: 'GET',
    path,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'List the broadcasts with their pauses, newest first',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({ cursor: Type.Optional(text()) }),
    reply: { status: 200, body: page(BroadcastState) },
    refusals: ['unprocessable_content'],
  }),
  getBroadcastState: defineConsoleOperation({
    id: 'getBroadcastState',
    method: 'GET',
    path: `${path}/{broadcast_id}`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Read a broadcast with its pause, its failures by reason and the pace of its number',
    idempotent: false,
    params: ofBroadcast,
    reply: { status: 200, body: BroadcastDetails },
    refusals: ['not_found'],
  }),
  listBroadcastRecipients: defineConsoleOperation({
    id: 'listBroadcastRecipients',
    method: 'GET',
    path: `${path}/{broadcast_id}/recipients`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'List the recipients of a broadcast in order, each with its status and the reason of a failure',
    idempotent: false,
    params: ofBroadcast,
    query: Type.Object({
      status: Type.Optional(Type.Enum([...recipientFilters], { type: 'string' })),
      reason: Type.Optional(text('One of the reasons of failures.')),
      cursor: Type.Optional(text()),
    }),
    reply: { status: 200, body: page(BroadcastRecipientState) },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  exportBroadcastRecipients: defineConsoleOperation({
    id: 'exportBroadcastRecipients',
    method: 'POST',
    path: `${path}/{broadcast_id}/recipient-exports`,
    audience: 'supervisor',
    whole_workspace: true,
    confirmed: true,
    summary: 'Read all recipients of a broadcast, page by page, for a file',
    idempotent: false,
    params: ofBroadcast,
    body: Type.Object({ cursor: Type.Optional(text()) }),
    reply: { status: 200, body: page(BroadcastRecipientState) },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  previewBroadcast: defineConsoleOperation({
    id: 'previewBroadcast',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/broadcast-previews',
    audience: 'supervisor',
    whole_workspace: true,
    takes_lists: true,
    summary: 'Read whom a broadcast would reach by now, whom not and why, and what it would cost; nothing is stored',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ channel_id, template, audience }),
    reply: { status: 200, body: BroadcastPreview },
    refusals: ['unprocessable_content', 'template_not_found', 'content_too_large'],
  }),
  pauseBroadcast: defineConsoleOperation({
    id: 'pauseBroadcast',
    method: 'POST',
    path: `${path}/{broadcast_id}/pause`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Hold back the recipients of a broadcast who wait; messages handed over before still leave',
    idempotent: false,
    params: ofBroadcast,
    reply: { status: 200, body: BroadcastDetails },
    refusals: ['not_found', 'broadcast_ended', 'already_paused', 'nothing_waiting'],
  }),
  resumeBroadcast: defineConsoleOperation({
    id: 'resumeBroadcast',
    method: 'POST',
    path: `${path}/{broadcast_id}/resume`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Go on with a paused broadcast where it stood',
    idempotent: false,
    params: ofBroadcast,
    reply: { status: 200, body: BroadcastDetails },
    refusals: ['not_found', 'broadcast_ended', 'not_paused'],
  }),
};
