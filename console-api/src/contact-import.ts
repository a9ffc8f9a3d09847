import { ContactImport, ContactImportResult } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const importStatuses = ['receiving', 'running', 'done', 'cancelled'] as const;

/** An import that the service performs by itself. */
export const ImportState = Type.Object({
  id: text(),
  file_name: text(),
  status: Type.Enum([...importStatuses], {
    type: 'string',
    description: '`receiving`: the browser still hands rows over.',
  }),
  rows_total: Type.Integer(),
  rows_done: Type.Integer({ description: 'Imported or left out.' }),
  created: Type.Integer(),
  updated: Type.Integer(),
  left_out: Type.Integer(),
  has_left_out_rows: Type.Boolean({ description: 'Whether rows that were left out are still kept.' }),
  rows_kept_until: Type.Optional(dateTime('When the rows that were left out are deleted.')),
  user: Type.Object({ id: text(), name: text() }),
  created_at: dateTime(),
  started_at: Type.Optional(dateTime()),
  ended_at: Type.Optional(dateTime()),
});
export type ImportState = Static<typeof ImportState>;

const line = Type.Integer({ minimum: 0, description: 'Its place in the file, from 0, without the header.' });
const cells = Type.Array(Type.String({ bound: 'long' }), { maxItems: 200 });

/** A row that is handed over: one to import, or one that the browser left out. */
export const ImportRow = Type.Object({
  line,
  contact: Type.Optional(Type.Unknown({ description: 'The contact, as imports take it. Absent: left out.' })),
  cells,
  reason: Type.Optional(Type.String({ description: 'Why the browser left it out.' })),
});
export type ImportRow = Static<typeof ImportRow>;

export const LeftOutRow = Type.Object({ line, cells: Type.Array(Type.String()), reason: text() });
export type LeftOutRow = Static<typeof LeftOutRow>;

const ofImport = Type.Object({ workspace_id: text(), import_id: text() });
const path = '/console/v1/workspaces/{workspace_id}/contact-imports';

export const contactImportOperations = {
  previewContactImport: defineConsoleOperation({
    id: 'previewContactImport',
    method: 'POST',
    path: `${path}/preview`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Read what an import of contacts would do; nothing is stored',
    idempotent: false,
    params: inWorkspace,
    body: ContactImport,
    reply: { status: 200, body: ContactImportResult },
    refusals: ['unprocessable_content'],
  }),
  listContactImports: defineConsoleOperation({
    id: 'listContactImports',
    method: 'GET',
    path,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'List the latest imports of files with their progress, newest first',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(ImportState) }) },
    refusals: [],
  }),
  createContactImport: defineConsoleOperation({
    id: 'createContactImport',
    method: 'POST',
    path,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Begin to hand over a file of contacts; nothing is imported before its start',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({
      file_name: Type.String({ minLength: 1, maxLength: 255 }),
      header: cells,
      rows_total: Type.Integer({ minimum: 1 }),
    }),
    reply: { status: 201, body: ImportState },
    refusals: ['limit_reached', 'unprocessable_content'],
  }),
  addContactImportRows: defineConsoleOperation({
    id: 'addContactImportRows',
    method: 'POST',
    path: `${path}/{import_id}/rows`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Hand over rows of the file; a line that is there already stays as it is',
    idempotent: false,
    params: ofImport,
    body: Type.Object({ rows: Type.Array(ImportRow, { minItems: 1, maxItems: 1_000 }) }),
    reply: { status: 200, body: Type.Object({ rows_received: Type.Integer() }) },
    refusals: ['not_found', 'changed_meanwhile', 'unprocessable_content'],
  }),
  startContactImport: defineConsoleOperation({
    id: 'startContactImport',
    method: 'POST',
    path: `${path}/{import_id}/start`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Import the rows that were handed over; it goes on without the browser',
    idempotent: false,
    params: ofImport,
    reply: { status: 200, body: ImportState },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  cancelContactImport: defineConsoleOperation({
    id: 'cancelContactImport',
    method: 'POST',
    path: `${path}/{import_id}/cancel`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Stop an import; contacts that it has imported stay',
    idempotent: false,
    params: ofImport,
    reply: { status: 200, body: ImportState },
    refusals: ['not_found'],
  }),
  listLeftOutRows: defineConsoleOperation({
    id: 'listLeftOutRows',
    method: 'GET',
    path: `${path}/{import_id}/left-out-rows`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'List the rows that an import left out, in the order of the file',
    idempotent: false,
    params: ofImport,
    query: Type.Object({ cursor: Type.Optional(text()) }),
    reply: {
      status: 200,
      body: Type.Object({ ...page(LeftOutRow).properties, header: Type.Array(Type.String()) }),
    },
    refusals: ['not_found', 'unprocessable_content'],
  }),
  deleteContactImport: defineConsoleOperation({
    id: 'deleteContactImport',
    method: 'DELETE',
    path: `${path}/{import_id}`,
    audience: 'supervisor',
    whole_workspace: true,
    summary: 'Delete an import that has ended, with the rows that it left out; the contacts stay',
    idempotent: false,
    params: ofImport,
    reply: { status: 204 },
    refusals: ['not_found', 'changed_meanwhile'],
  }),
};
