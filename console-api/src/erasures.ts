import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

/** What an erasure deletes, in the order in which people read it. */
export const erasedKinds = [
  'messages',
  'notes',
  'files',
  'conversations',
  'identities',
  'consent_records',
  'drafts',
  'scheduled_messages',
  'proposals',
  'broadcast_recipients',
  'workflow_runs',
  'ai_answers',
  'events',
  'stored_answers',
  'saved_views',
  'import_rows',
] as const;
export type ErasedKind = (typeof erasedKinds)[number];

const count = Type.Integer({ minimum: 0 });
export const ErasedCounts = Type.Object(
  Object.fromEntries(erasedKinds.map((kind) => [kind, count])) as Record<ErasedKind, typeof count>,
);
export type ErasedCounts = Static<typeof ErasedCounts>;

/** The signed statement. It names the ids of the workspace, the contact and the actor, and nothing that the contact is known by. */
export const ErasureReceipt = Type.Object({
  version: Type.Literal(1),
  kind: Type.Literal('contact_erasure'),
  id: text(),
  workspace_id: text(),
  contact_id: text('The id that the contact had. It is random, and names nothing any more.'),
  erased_at: dateTime(),
  actor: Type.Object({ kind: text('`user` or `api_key`'), id: text('The id of the user, or the prefix of the key.') }),
  deleted: ErasedCounts,
});
export type ErasureReceipt = Static<typeof ErasureReceipt>;

/** As it is downloaded. The signature is over the canonical JSON (RFC 8785) of `receipt`. */
export const SignedReceipt = Type.Object({
  receipt: ErasureReceipt,
  algorithm: Type.Literal('Ed25519'),
  key_id: text('Which key of the installation signed.'),
  signature: text('Base64.'),
});
export type SignedReceipt = Static<typeof SignedReceipt>;

/** Whoever has the public key verifies receipts. */
export const ReceiptKey = Type.Object({ id: text(), public_key: text('PEM'), created_at: dateTime() });
export type ReceiptKey = Static<typeof ReceiptKey>;

export const erasureOperations = {
  previewErasure: defineConsoleOperation({
    id: 'previewErasure',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/contacts/{contact_id}/erasure-preview',
    audience: 'admin',
    summary: 'Count what an erasure of the contact would delete',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), contact_id: text() }),
    reply: { status: 200, body: ErasedCounts },
    refusals: ['not_found'],
  }),
  listErasureReceipts: defineConsoleOperation({
    id: 'listErasureReceipts',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/erasure-receipts',
    audience: 'admin',
    summary: 'List the receipts of erasures, newest first',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      cursor: Type.Optional(text()),
      contact_id: Type.Optional(text('The id that the contact had.')),
    }),
    reply: { status: 200, body: page(SignedReceipt) },
    refusals: ['unprocessable_content'],
  }),
  listReceiptKeys: defineConsoleOperation({
    id: 'listReceiptKeys',
    method: 'GET',
    path: '/console/v1/receipt-keys',
    audience: 'anyone',
    summary: 'Read the public keys of the installation that verify its receipts, newest first',
    idempotent: false,
    reply: { status: 200, body: Type.Object({ data: Type.Array(ReceiptKey) }) },
    refusals: [],
  }),
};
