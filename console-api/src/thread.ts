import { Message } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inConversation, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

const Choice = Type.Object({ id: text(), title: text(), description: Type.Optional(text()) });

/** A message as its team sees it: the members of the contract, and those that its bubble needs besides. */
export const ThreadMessage = Type.Object({
  ...Message.properties,
  type: Type.Literal('message'),
  actor_kind: Type.Optional(
    text('As in the contract, and platform_agent or phone_app of a message that was not sent by this service.'),
  ),
  actor_name: Type.Optional(text('Who wrote it: a user, an API key, a workflow or an AI agent. Absent: the contact.')),
  template: Type.Optional(
    Type.Object({
      name: text(),
      language: text(),
      header: Type.Optional(text('The header, with the values of this message.')),
      footer: Type.Optional(text()),
      buttons: Type.Optional(Type.Array(text())),
    }),
  ),
  interactive: Type.Optional(
    Type.Object({ type: text('buttons, list or request_contact_info.'), choices: Type.Array(Choice) }),
  ),
  tapped: Type.Optional(Choice),
  answers: Type.Optional(
    Type.Array(Type.Object({ name: text(), value: text() }), { description: 'Of a submitted form, in their order.' }),
  ),
  form_title: Type.Optional(text('What the form says beside its answers.')),
  referral: Type.Optional(
    Type.Object(
      {
        headline: Type.Optional(text()),
        body: Type.Optional(text()),
        source_url: Type.Optional(text()),
        id: Type.Optional(text()),
      },
      { description: 'The advertisement, post or product from which the contact wrote.' },
    ),
  ),
  order: Type.Optional(
    Type.Object(
      {
        catalog_id: Type.Optional(text()),
        note: Type.Optional(text('The words of the contact.')),
        products: Type.Array(
          Type.Object({
            id: text("The business's id of the product. Empty: the platform named none."),
            quantity: Type.Optional(Type.Number()),
            price: Type.Optional(Type.Number({ description: 'Of one piece, in units of the currency.' })),
            currency: Type.Optional(text()),
          }),
        ),
      },
      { description: 'What the contact ordered from a catalogue.' },
    ),
  ),
  location: Type.Optional(
    Type.Object({
      latitude: Type.Number(),
      longitude: Type.Number(),
      name: Type.Optional(text()),
      address: Type.Optional(text()),
    }),
  ),
  reaction: Type.Optional(
    Type.Object({ emoji: text('Empty: the reaction was taken back.'), message_id: Type.Optional(text()) }),
  ),
  quoted: Type.Optional(
    Type.Object({
      id: text(),
      direction: text(),
      kind: text(),
      body: Type.Optional(text('Its first 200 characters.')),
      unreadable_type: Type.Optional(text('As of the message itself.')),
    }),
  ),
  unreadable_type: Type.Optional(
    text('The type of what the contact sent, such as poll, where it cannot be shown. The body says it in English.'),
  ),
  edited_at: Type.Optional(dateTime('Its author edited it at the platform. The body is the new text.')),
  deleted_at: Type.Optional(dateTime('Its author deleted it at the platform. It has no content any more.')),
  broadcast_id: Type.Optional(text()),
  error_code: Type.Optional(text("The platform's number, or a word of the service.")),
  sources: Type.Optional(
    Type.Array(Type.Object({ title: text(), quote: text() }), { description: "The sources of an AI agent's answer." }),
  ),
});
export type ThreadMessage = Static<typeof ThreadMessage>;

export const threadChangeKinds = [
  'assigned',
  'team_assigned',
  'closed',
  'reopened',
  'handed_over',
  'stage_set',
  'snoozed',
  'called',
  'link_clicked',
  'payment_reported',
  'number_given',
] as const;

/** A system line: what somebody did to the conversation. Absent values: nobody, no stage, or no longer snoozed. */
export const ThreadChange = Type.Object({
  type: Type.Literal('change'),
  id: text(),
  kind: Type.Enum([...threadChangeKinds], { type: 'string' }),
  actor_kind: text('user, api_key, workflow, ai_agent, platform_agent, contact or system.'),
  actor_name: Type.Optional(text()),
  actor_id: Type.Optional(text()),
  value_id: Type.Optional(text('The user, team, stage, workflow or AI agent.')),
  value_name: Type.Optional(text('Its name. Of `handed_over` to people, absent.')),
  controller: Type.Optional(text('Of `handed_over`: human or bot.')),
  until: Type.Optional(dateTime('Of `snoozed`.')),
  reason: Type.Optional(text('Of `closed`: the closing reason.')),
  summary: Type.Optional(text('Of `closed`.')),
  message_id: Type.Optional(text('The message that it is about.')),
  call: Type.Optional(
    Type.Object(
      {
        by: text('customer or business.'),
        outcome: text('begun, answered, missed, declined, or unreported: its end was not reported in time.'),
        ends_by: Type.Optional(dateTime('Of a call whose end is awaited: from then on it counts as unreported.')),
        duration_seconds: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      { description: 'Of `called`, as far as the platform has reported it.' },
    ),
  ),
  link: Type.Optional(
    Type.Object(
      { component: Type.Optional(text("The platform's name of what was clicked.")) },
      { description: 'Of `link_clicked`.' },
    ),
  ),
  payment: Type.Optional(
    Type.Object(
      {
        reference_id: text(),
        status: text('As the platform states it.'),
        amount: Type.Optional(Type.Number({ description: 'In units of the currency.' })),
        currency: Type.Optional(text()),
      },
      { description: 'Of `payment_reported`.' },
    ),
  ),
  created_at: dateTime(),
});
export type ThreadChange = Static<typeof ThreadChange>;

export const ThreadItem = Type.Union([ThreadMessage, ThreadChange]);
export type ThreadItem = Static<typeof ThreadItem>;

/** The most items of a page of a thread, and the most messages that one request names. */
export const mostThreadItems = 100;

export const ThreadPage = Type.Object({
  data: Type.Array(ThreadItem, { description: 'Oldest first.' }),
  has_earlier: Type.Boolean(),
  has_later: Type.Boolean(),
});
export type ThreadPage = Static<typeof ThreadPage>;

export const threadOperations = {
  listThread: defineConsoleOperation({
    id: 'listThread',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/thread',
    audience: 'agent',
    summary: 'List what was written and done in a conversation; without the id of an item, the newest',
    idempotent: false,
    params: inConversation,
    query: Type.Object({
      before: Type.Optional(text('The id of an item: those before it.')),
      after: Type.Optional(text('The id of an item: those after it.')),
      around: Type.Optional(text('The id of an item: it, and as many before it as after it.')),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: `Up to ${mostThreadItems}.` })),
    }),
    reply: { status: 200, body: ThreadPage },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  listThreadMessages: defineConsoleOperation({
    id: 'listThreadMessages',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/conversations/{conversation_id}/thread/messages',
    audience: 'agent',
    summary: 'Read these messages of a conversation again; those that are gone are left out',
    idempotent: false,
    params: inConversation,
    query: Type.Object({
      ids: Type.String({ bound: 'long', description: `Up to ${mostThreadItems} ids, separated by commas.` }),
    }),
    reply: { status: 200, body: Type.Object({ data: Type.Array(ThreadMessage) }) },
    refusals: ['not_found', 'unprocessable_content'],
  }),
};
