import { Template } from '@majlis/contract';
import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { UseCounts } from './use-counts.ts';

/** A template whose category the platform will change. */
export const ComingCategory = Type.Object({
  template_id: text(),
  category: { ...Template.properties.category, description: 'The category to come.' },
  changes_at: Type.Optional(dateTime('Absent where the platform told no time.')),
});
export type ComingCategory = Static<typeof ComingCategory>;

export const templateOperations = {
  listComingCategories: defineConsoleOperation({
    id: 'listComingCategories',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/chatapp/coming-categories',
    audience: 'admin',
    summary: 'List the templates whose category the platform will change',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(ComingCategory) }) },
    refusals: [],
  }),
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
