import { type Static, Type } from 'typebox';
import { inWorkspace, nothing, page, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';
import { UseCounts } from './use-counts.ts';

/** What a canned reply may contain between `{{` and `}}`. The console replaces it when the reply is inserted. */
export const cannedReplyVariables = [
  'contact.name',
  'contact.first_name',
  'agent.name',
  'agent.first_name',
  'workspace.name',
] as const;
export type CannedReplyVariable = (typeof cannedReplyVariables)[number];

/** A text to insert into a message by a short name. */
export const CannedReply = Type.Object({
  id: text(),
  name: text('Without the slash that opens the list.'),
  body: Type.String(),
  language: Type.Optional(text('A BCP 47 tag. Absent: for any language.')),
  shared: Type.Boolean({ description: 'Whether everybody in the workspace has it. Otherwise the person alone does.' }),
  version: text('Of the values that a person changes.'),
});
export type CannedReply = Static<typeof CannedReply>;

const variables = cannedReplyVariables.map((name) => `{{${name}}}`).join(', ');
const name = text('Letters, digits, - and _. A slash at the beginning is left out.');
const body = Type.String({ bound: 'long', description: `It may contain ${variables}.` });
const nullableLanguage = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const replyParams = Type.Object({ workspace_id: text(), canned_reply_id: text() });
const reply = (status: 200 | 201) => ({ status, body: CannedReply }) as const;

export const cannedReplyOperations = {
  listCannedReplies: defineConsoleOperation({
    id: 'listCannedReplies',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/canned-replies',
    audience: 'agent',
    summary: 'List the shared canned replies and those of the person, by name',
    idempotent: false,
    params: inWorkspace,
    query: Type.Object({
      prefix: Type.Optional(text('The beginning of the name, in any case and Arabic spelling.')),
      language: Type.Optional(text('Only those in this language, and those for any.')),
      cursor: Type.Optional(text()),
      limit: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    reply: { status: 200, body: page(CannedReply) },
    refusals: ['unprocessable_content'],
  }),
  createCannedReply: defineConsoleOperation({
    id: 'createCannedReply',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/canned-replies',
    audience: 'agent',
    summary: 'Make a canned reply; supervisors may share it',
    idempotent: true,
    params: inWorkspace,
    body: Type.Object({ name, body, language: Type.Optional(text()), shared: Type.Optional(Type.Boolean()) }),
    reply: reply(201),
    refusals: ['role_insufficient', 'limit_reached', 'idempotency_conflict', 'unprocessable_content'],
  }),
  changeCannedReply: defineConsoleOperation({
    id: 'changeCannedReply',
    method: 'PATCH',
    path: '/console/v1/workspaces/{workspace_id}/canned-replies/{canned_reply_id}',
    audience: 'agent',
    summary: 'Change a canned reply, unless somebody did since the given version; supervisors may change shared ones',
    idempotent: false,
    params: replyParams,
    body: Type.Object({
      version: Type.Optional(text('Absent: whatever the values are now.')),
      name: Type.Optional(name),
      body: Type.Optional(body),
      language: Type.Optional(nullableLanguage),
    }),
    reply: reply(200),
    refusals: ['not_found', 'changed_meanwhile', 'role_insufficient', 'limit_reached', 'unprocessable_content'],
  }),
  getCannedReplyUse: defineConsoleOperation({
    id: 'getCannedReplyUse',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/canned-replies/{canned_reply_id}/use',
    audience: 'agent',
    summary: 'Count the people from whom the deletion of a canned reply takes it',
    idempotent: false,
    params: replyParams,
    reply: { status: 200, body: UseCounts },
    refusals: ['not_found'],
  }),
  deleteCannedReply: defineConsoleOperation({
    id: 'deleteCannedReply',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/canned-replies/{canned_reply_id}',
    audience: 'agent',
    summary: 'Delete a canned reply; supervisors may delete shared ones',
    idempotent: false,
    params: replyParams,
    reply: nothing,
    refusals: ['not_found', 'role_insufficient'],
  }),
};
