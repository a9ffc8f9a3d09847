import { mapOf } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const AuditEntry = Type.Object({
  id: text(),
  at: dateTime(),
  actor: Type.Object({ user_id: text(), name: Type.Optional(text()) }),
  action: text('The id of the operation.'),
  targets: mapOf(Type.String(), { description: 'The ids that the request named.' }),
  address: text('The address that the request came from.'),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const auditOperations = {
  listAuditEntries: defineConsoleOperation({
    id: 'listAuditEntries',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/audit',
    audience: 'admin',
    summary: 'List what people did, newest first',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      cursor: Type.Optional(text()),
      limit: Type.Optional(Type.Integer({ minimum: 1 })),
      user_id: Type.Optional(text()),
      action: Type.Optional(text()),
      since: Type.Optional(dateTime()),
      until: Type.Optional(dateTime()),
    }),
    reply: {
      status: 200,
      body: page(AuditEntry),
    },
    refusals: ['unprocessable_content'],
  }),
};
