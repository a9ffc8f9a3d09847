import { Contact, ContactUpsert } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const members = {
  name: Type.Optional(nullableText),
  email: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'email' })),
  language: Type.Optional(nullableText),
  vip: Type.Optional(Type.Boolean()),
  blocked: Type.Optional(Type.Boolean()),
  stage_id: Type.Optional(nullableText),
  custom_fields: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
};

/** The members of a contact that a person changes. Null: no value. */
export const ContactValues = Type.Object(members);
export type ContactValues = Static<typeof ContactValues>;

/** What moves from the other contact. */
export const MergePreview = Type.Object({
  identities: Type.Integer(),
  conversations: Type.Integer(),
  tags: Type.Integer({ description: 'Those that the contact has not yet.' }),
  custom_fields: Type.Integer({ description: 'Those that the contact has no value of.' }),
  consent_records: Type.Integer(),
});
export type MergePreview = Static<typeof MergePreview>;

const tags = Type.Optional(Type.Array(Type.String()));

export const contactEditOperations = {
  addContact: defineConsoleOperation({
    id: 'addContact',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/new-contacts',
    audience: 'agent',
    summary: 'Add a contact; one that has an identity of it already is answered, and stays as it is',
    idempotent: false,
    params: inWorkspace,
    body: ContactUpsert,
    reply: { status: 200, body: Type.Object({ contact: Contact, is_new: Type.Boolean() }) },
    refusals: ['unprocessable_content'],
  }),
  editContact: defineConsoleOperation({
    id: 'editContact',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/contacts/{contact_id}/edit',
    audience: 'agent',
    summary: 'Change a contact, unless a value differs from the one that the person began with',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), contact_id: text() }),
    body: Type.Object({
      expected: Type.Optional(ContactValues),
      changes: Type.Optional(ContactValues),
      add_tags: tags,
      remove_tags: tags,
    }),
    reply: { status: 200, body: Contact },
    refusals: ['not_found', 'changed_meanwhile', 'unprocessable_content'],
  }),
  previewMerge: defineConsoleOperation({
    id: 'previewMerge',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/contacts/{contact_id}/merge-preview',
    audience: 'supervisor',
    summary: 'Count what a merge would move to the contact from another one',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), contact_id: text() }),
    query: Type.Object({ source_contact_id: text() }),
    reply: { status: 200, body: MergePreview },
    refusals: ['not_found'],
  }),
};
