import { Contact } from '@majlis/contract';
import { Type } from 'typebox';
import { inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const contactExportOperations = {
  exportContacts: defineConsoleOperation({
    id: 'exportContacts',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/contact-exports',
    audience: 'admin',
    whole_workspace: true,
    confirmed: true,
    summary: 'Read all contacts, page by page, for a file',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({ cursor: Type.Optional(text()) }),
    reply: { status: 200, body: page(Contact) },
    refusals: ['unprocessable_content'],
  }),
};
