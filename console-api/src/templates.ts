import { Type } from 'typebox';
import { text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { UseCounts } from './use-counts.ts';

export const templateOperations = {
  getTemplateUse: defineConsoleOperation({
    id: 'getTemplateUse',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/chatapp/templates/{template_id}/use',
    audience: 'admin',
    summary: 'Count what still has to send a template',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), template_id: text() }),
    reply: { status: 200, body: UseCounts },
    refusals: ['not_found'],
  }),
};
