import { type ApiKeyEntry, consoleOperations } from '@majlis/console-api';
import { newId, parseId, publicId } from '../database/ids.ts';
import { generateApiKey } from '../http/api-key.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { requireText } from '../http/require-text.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import {
  type ApiKeyRow,
  findLiveApiKeys,
  insertApiKeys,
  listLiveApiKeys,
  revokeApiKey,
} from '../workspaces/queries.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

export function apiKeyRoutes(serve: ServeConsole, { config, pool, clock }: Resources): void {
  serve(consoleOperations.listApiKeys, async ({ caller }) => ({
    status: 200,
    body: { data: (await listLiveApiKeys(pool, caller.workspace_id)).map(presentApiKey) },
  }));

  serve(consoleOperations.createApiKey, async ({ caller, body }) => {
    const name = requireText(body.name, '/name');
    const { key, key_hash, key_prefix } = generateApiKey(body.environment);
    const row = {
      id: newId(clock),
      name,
      environment: body.environment,
      scopes: [...new Set(body.scopes)],
      key_prefix,
      created_by: caller.user_id,
      created_at: clock.now(),
    };
    await transactionOf(caller, pool, async (tx) => {
      if ((await findLiveApiKeys(tx, caller.workspace_id, [name])).length > 0) {
        throw invalid({ detail: 'names a key that is in use', pointer: '/name' });
      }
      const { workspace_id } = caller;
      await withinQuota(tx, config.quotas, { workspace_id, kind: 'api_keys' }, () =>
        insertApiKeys(tx, workspace_id, [{ ...row, key_hash, changed_at: row.created_at }]),
      );
      const details = { name, environment: row.environment, scopes: row.scopes, key_prefix };
      await recordActs(tx, clock, [
        toAct(caller, 'createApiKey', { api_key_id: publicId('api_key', row.id) }, details),
      ]);
    });
    return { status: 201, body: { api_key: presentApiKey({ ...row, last_used_at: null }), key } };
  });

  serve(consoleOperations.revokeApiKey, async ({ caller, params }) => {
    await transactionOf(caller, pool, async (tx) => {
      const id = parseId('api_key', params.api_key_id);
      const isRevoked = id && (await revokeApiKey(tx, caller.workspace_id, { id }, clock.now()));
      if (!isRevoked) throw new Refusal('not_found');
      await recordActs(tx, clock, [toAct(caller, 'revokeApiKey', { api_key_id: params.api_key_id })]);
    });
    return { status: 204 };
  });
}

function presentApiKey(row: ApiKeyRow): ApiKeyEntry {
  const { id, name, environment, scopes, key_prefix, created_by, created_at, last_used_at } = row;
  return {
    id: publicId('api_key', id),
    name,
    environment,
    scopes,
    key_prefix,
    ...(created_by && { created_by: publicId('user', created_by) }),
    created_at: created_at.toISOString(),
    ...(last_used_at && { last_used_at: last_used_at.toISOString() }),
  };
}
