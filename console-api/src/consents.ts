import { Contact } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const consentSources = ['api', 'console', 'import', 'merge', 'workflow', 'inbound_message', 'platform'] as const;
export type ConsentSource = (typeof consentSources)[number];

export const consentActorKinds = ['user', 'api_key', 'contact', 'system'] as const;
export type ConsentActorKind = (typeof consentActorKinds)[number];

/** One grant or withdrawal, as evidence. It never changes. */
export const ConsentRecord = Type.Object({
  id: text(),
  consent: text('The key in `consents` of the contact.'),
  granted: Type.Optional(Type.Boolean({ description: 'Absent where the value is neither true nor false.' })),
  value: Type.Optional(text('Such a value, as JSON.')),
  source: Type.Enum([...consentSources], { type: 'string' }),
  shown_text: Type.Optional(text('What the contact was shown or wrote, where known.')),
  message_id: Type.Optional(text('The message by which the contact decided.')),
  conversation_id: Type.Optional(text()),
  actor_kind: Type.Enum([...consentActorKinds], { type: 'string' }),
  actor_id: Type.Optional(text('The user.')),
  actor_name: Type.Optional(text('Of a user the name, of an API key the prefix.')),
  decided_at: dateTime("By the platform's time, where the contact decided there."),
  recorded_at: dateTime(),
});
export type ConsentRecord = Static<typeof ConsentRecord>;

const words = {
  stop_words: Type.Array(Type.String(), {
    description: 'A text of a customer that is one of these withdraws the consent to marketing.',
  }),
  start_words: Type.Array(Type.String(), { description: 'A text that is one of these grants it again.' }),
};
export const ConsentSettings = Type.Object(words);
export type ConsentSettings = Static<typeof ConsentSettings>;

const ofContact = Type.Object({ workspace_id: text(), contact_id: text() });
const recordsPath = '/console/v1/workspaces/{workspace_id}/contacts/{contact_id}/consent-records';
const settingsPath = '/console/v1/workspaces/{workspace_id}/consent-settings';
const settings = { status: 200, body: ConsentSettings } as const;

export const consentOperations = {
  listConsentRecords: defineConsoleOperation({
    id: 'listConsentRecords',
    method: 'GET',
    path: recordsPath,
    audience: 'agent',
    summary: 'List the grants and withdrawals of a contact, the latest first',
    idempotent: false,
    params: ofContact,
    query: Type.Object({ cursor: Type.Optional(text()), limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
    reply: { status: 200, body: page(ConsentRecord) },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  recordConsent: defineConsoleOperation({
    id: 'recordConsent',
    method: 'POST',
    path: recordsPath,
    audience: 'agent',
    summary: 'Record that a contact granted or withdrew a consent',
    idempotent: false,
    params: ofContact,
    body: Type.Object({
      consent: Type.Optional(text('By default chatapp_marketing.')),
      granted: Type.Boolean(),
      shown_text: Type.Optional(text('What the contact was shown or said.')),
    }),
    reply: { status: 200, body: Contact },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  readConsentSettings: defineConsoleOperation({
    id: 'readConsentSettings',
    method: 'GET',
    path: settingsPath,
    audience: 'admin',
    summary: 'Read the texts by which customers withdraw and grant their consent to marketing',
    idempotent: false,
    params: inWorkspace,
    reply: settings,
    refusals: [],
  }),
  changeConsentSettings: defineConsoleOperation({
    id: 'changeConsentSettings',
    method: 'PATCH',
    path: settingsPath,
    audience: 'admin',
    summary: 'Change these texts; only sent lists change',
    idempotent: false,
    params: inWorkspace,
    body: Type.Partial(Type.Object(words)),
    reply: settings,
    refusals: ['unprocessable_content'],
  }),
};
