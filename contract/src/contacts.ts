import { type Static, Type } from 'typebox';
import { checkedAlone } from './bounds.ts';
import { examples } from './examples.ts';
import { anyObject, ChannelType, comingSoon, dateTime, nullableText, text } from './fields.ts';
import { limits } from './limits.ts';
import { defineOperation } from './operation.ts';
import { cursor, limit, page } from './page.ts';

export const Identity = Type.Object(
  {
    channel_type: ChannelType,
    identifier: text('A phone number (E.164, or a local one of 8 digits), a handle or an e-mail address.'),
    display_name: Type.Optional(text('The name of the contact on this channel.')),
  },
  { title: 'Identity' },
);
export type Identity = Static<typeof Identity>;

export const Consents = Type.Unsafe<{ chatapp_marketing?: boolean; [channel: string]: unknown }>({
  type: 'object',
  properties: {
    chatapp_marketing: { type: 'boolean', description: 'Whether marketing templates may be sent on chatapp.' },
  },
  additionalProperties: true,
  title: 'Consents',
  description: 'The marketing opt-in of the contact, by channel. The service stores other keys unchanged.',
});
export type Consents = Static<typeof Consents>;

const customFields = Type.Unsafe<Record<string, unknown>>({
  ...anyObject('Values by the `key` of the custom field. A key without a definition is refused.'),
  ...comingSoon,
});

export const Contact = Type.Object(
  {
    id: text(),
    name: Type.Optional(text()),
    identities: Type.Array(Identity, { description: 'The addresses of the contact. Phone numbers are E.164.' }),
    email: Type.Optional(Type.String({ format: 'email' })),
    language: Type.Optional(text()),
    dialect: Type.Optional(text()),
    vip: Type.Boolean(),
    blocked: Type.Boolean({ description: 'While `true`, the service sends nothing to the contact.' }),
    tags: Type.Array(Type.String()),
    stage_id: Type.Optional(text()),
    consents: Consents,
    custom_fields: Type.Optional(customFields),
    last_activity_at: Type.Optional(
      dateTime('The time of the last message of the contact, or of the first message to the contact.'),
    ),
  },
  { title: 'Contact' },
);
export type Contact = Static<typeof Contact>;

export const ContactPage = page('ContactPage', Contact, 'Newest activity first.');

export const ContactUpsert = Type.Object(
  {
    name: Type.Optional(text()),
    identities: Type.Array(Identity, { description: 'A contact that owns one of the identities is updated.' }),
    email: Type.Optional(Type.String({ format: 'email' })),
    language: Type.Optional(text()),
    vip: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
    stage_id: Type.Optional(text()),
    custom_fields: Type.Optional(customFields),
    consents: Type.Optional(Consents),
  },
  { title: 'ContactUpsert' },
);
export type ContactUpsert = Static<typeof ContactUpsert>;

export const ContactUpdate = Type.Object(
  {
    name: Type.Optional(text()),
    email: Type.Optional(Type.String({ format: 'email' })),
    language: Type.Optional(text()),
    vip: Type.Optional(Type.Boolean()),
    blocked: Type.Optional(Type.Boolean({ description: '`true` stops all messages to the contact.' })),
    tags: Type.Optional(Type.Array(Type.String(), { description: 'Replaces the whole set of tags.' })),
    stage_id: Type.Optional(nullableText('The stage. `null` clears it.')),
    custom_fields: Type.Optional(customFields),
  },
  { title: 'ContactUpdate' },
);
export type ContactUpdate = Static<typeof ContactUpdate>;

/** The open second branch accepts invalid rows: each row is validated by itself, so that one does not refuse the rest. */
export const ContactImport = Type.Object(
  {
    contacts: Type.Array(
      Type.Union([ContactUpsert, Type.Unknown({ description: 'An invalid row: reported in `failed`.' })], checkedAlone),
      { maxItems: limits.import_contacts },
    ),
  },
  { title: 'ContactImport' },
);
export type ContactImport = Static<typeof ContactImport>;

export const ContactImportResult = Type.Object(
  {
    created: Type.Integer(),
    updated: Type.Integer(),
    failed: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'The index of the row in `contacts`, from 0.' }),
        code: text('The reason, such as `invalid_phone`.'),
      }),
    ),
  },
  { title: 'ContactImportResult' },
);
export type ContactImportResult = Static<typeof ContactImportResult>;

const contactParams = Type.Object({ contact_id: text('The contact.') });
const exampleParams = { contact_id: examples.ids.contact };

export const contactOperations = {
  listContacts: defineOperation({
    id: 'listContacts',
    method: 'GET',
    path: '/v1/contacts',
    label: 'Available',
    summary: 'List contacts',
    description: 'Contacts that meet all the given filters. A contact without activity is listed by its creation time.',
    idempotent: false,
    scope: 'contacts:read',
    query: Type.Object({
      q: Type.Optional(
        text('Text to find in the name, phone number or e-mail address. Forms of Arabic letters are equal.'),
      ),
      tag: Type.Optional(text('Only those that carry this tag.')),
      stage_id: Type.Optional(text('Only those at this stage.')),
      channel_type: Type.Optional(ChannelType),
      limit,
      cursor,
    }),
    reply: { status: 200, body: ContactPage },
    refusals: ['insufficient_scope', 'unprocessable_content'],
    example: { query: { q: 'muna', tag: 'vip-list' }, reply: { data: [examples.contact], has_more: false } },
  }),

  upsertContact: defineOperation({
    id: 'upsertContact',
    method: 'POST',
    path: '/v1/contacts',
    label: 'Beta',
    summary: 'Create or update a contact',
    description:
      'Updates the contact that owns one of the given identities, or creates one. Phone numbers are normalised to ' +
      'E.164; a local number of 8 digits gets the country of the workspace.',
    idempotent: true,
    scope: 'contacts:write',
    starts_workflows: true,
    body: ContactUpsert,
    reply: { status: 201, otherwise: { status: 200, when: 'An existing contact was updated.' }, body: Contact },
    refusals: ['insufficient_scope', 'idempotency_conflict', 'unprocessable_content'],
    example: {
      body: {
        name: 'Muna Al Harthi',
        identities: [{ channel_type: 'chatapp', identifier: '91234567', display_name: 'Muna' }],
        email: 'muna@example.com',
        language: 'ar',
        vip: true,
        tags: ['vip-list'],
        stage_id: examples.ids.stage,
        consents: { chatapp_marketing: true },
        custom_fields: { city: 'Muscat' },
      },
      reply: examples.contact,
    },
  }),

  importContacts: defineOperation({
    id: 'importContacts',
    method: 'POST',
    path: '/v1/contacts/import',
    label: 'Available',
    summary: 'Import contacts',
    description:
      'Creates or updates up to 1,000 contacts, in the given order and each as by `POST /v1/contacts`. Invalid rows are ' +
      'reported in `failed`, and the other rows are imported.',
    idempotent: false,
    limit: 'imports',
    scope: 'contacts:write',
    starts_workflows: true,
    body: ContactImport,
    reply: { status: 200, body: ContactImportResult },
    refusals: ['insufficient_scope', 'unprocessable_content'],
    example: {
      body: {
        contacts: [
          { name: 'Muna Al Harthi', identities: [{ channel_type: 'chatapp', identifier: '+96891234567' }] },
          { name: 'Salim', identities: [{ channel_type: 'chatapp', identifier: '12' }] },
        ],
      },
      reply: { created: 0, updated: 1, failed: [{ index: 1, code: 'invalid_phone' }] },
    },
  }),

  getContact: defineOperation({
    id: 'getContact',
    method: 'GET',
    path: '/v1/contacts/{contact_id}',
    label: 'Available',
    summary: 'Read a contact',
    description: 'The contact with its identities.',
    idempotent: false,
    scope: 'contacts:read',
    params: contactParams,
    reply: { status: 200, body: Contact },
    refusals: ['insufficient_scope', 'not_found'],
    example: { params: exampleParams, reply: examples.contact },
  }),

  updateContact: defineOperation({
    id: 'updateContact',
    method: 'PATCH',
    path: '/v1/contacts/{contact_id}',
    label: 'Available',
    summary: 'Update a contact',
    description: 'Changes the given members and keeps the others.',
    idempotent: false,
    scope: 'contacts:write',
    starts_workflows: true,
    params: contactParams,
    body: ContactUpdate,
    reply: { status: 200, body: Contact },
    refusals: ['insufficient_scope', 'not_found', 'unprocessable_content'],
    example: { params: exampleParams, body: { vip: true, tags: ['vip-list'] }, reply: examples.contact },
  }),

  deleteContact: defineOperation({
    id: 'deleteContact',
    method: 'DELETE',
    path: '/v1/contacts/{contact_id}',
    label: 'Coming soon',
    summary: 'Erase a contact',
    description: 'Permanently erases the contact, its identities and the history of its conversations.',
    idempotent: false,
    scope: 'contacts:write',
    params: contactParams,
    reply: { status: 204 },
    refusals: ['insufficient_scope', 'not_found'],
    example: { params: { contact_id: examples.ids.old_contact } },
  }),

  mergeContact: defineOperation({
    id: 'mergeContact',
    method: 'POST',
    path: '/v1/contacts/{contact_id}/merge',
    label: 'Coming soon',
    summary: 'Merge another contact into this one',
    description: 'Moves identities, tags and conversations of the source to this contact and deletes the source.',
    idempotent: false,
    scope: 'contacts:write',
    starts_workflows: true,
    params: contactParams,
    body: Type.Object(
      { source_contact_id: text('The contact to merge into the other one. The merge deletes it.') },
      { title: 'ContactMerge' },
    ),
    reply: { status: 200, body: Contact },
    refusals: ['insufficient_scope', 'not_found', 'unprocessable_content'],
    example: {
      params: exampleParams,
      body: { source_contact_id: examples.ids.other_contact },
      reply: examples.contact,
    },
  }),
};
