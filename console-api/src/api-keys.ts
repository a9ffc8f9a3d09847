import { type Static, Type } from 'typebox';
import { dateTime, inWorkspace, nothing, text } from './fields.ts';
import { defineConsoleOperation } from './operation.ts';

export const ApiKeyEntry = Type.Object({
  id: text(),
  name: text(),
  environment: text(),
  scopes: Type.Array(Type.String()),
  key_prefix: text(),
  created_by: Type.Optional(text('The user who made the key.')),
  created_at: dateTime(),
  last_used_at: Type.Optional(dateTime('To the minute. Absent: it was never used.')),
});
export type ApiKeyEntry = Static<typeof ApiKeyEntry>;

export const apiKeyOperations = {
  listApiKeys: defineConsoleOperation({
    id: 'listApiKeys',
    method: 'GET',
    path: '/console/v1/workspaces/{workspace_id}/api-keys',
    audience: 'admin',
    summary: 'List the API keys that are not revoked',
    idempotent: false,
    params: inWorkspace,
    reply: { status: 200, body: Type.Object({ data: Type.Array(ApiKeyEntry) }) },
    refusals: [],
  }),
  createApiKey: defineConsoleOperation({
    id: 'createApiKey',
    method: 'POST',
    path: '/console/v1/workspaces/{workspace_id}/api-keys',
    audience: 'admin',
    confirmed: true,
    summary: 'Make an API key; the answer alone shows it in full',
    idempotent: false,
    params: inWorkspace,
    body: Type.Object({
      name: text(),
      environment: Type.Enum(['test', 'live'], { type: 'string' }),
      scopes: Type.Array(Type.Enum(['messages:write', 'contacts:read', 'contacts:write'], { type: 'string' })),
    }),
    reply: { status: 201, body: Type.Object({ api_key: ApiKeyEntry, key: text('Shown once.') }) },
    refusals: ['limit_reached', 'unprocessable_content'],
  }),
  revokeApiKey: defineConsoleOperation({
    id: 'revokeApiKey',
    method: 'DELETE',
    path: '/console/v1/workspaces/{workspace_id}/api-keys/{api_key_id}',
    audience: 'admin',
    confirmed: true,
    summary: 'Revoke an API key at once',
    idempotent: false,
    params: Type.Object({ workspace_id: text(), api_key_id: text() }),
    reply: nothing,
    refusals: ['not_found'],
  }),
};
