import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { generateApiKey } from '../../http/api-key.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { findUserIds } from '../../users/queries.ts';
import { changeApiKeys, findNamedApiKeys, insertApiKeys, type NamedApiKey } from '../../workspaces/queries.ts';
import type { Kept } from './kept.ts';
import type { FileApiKey } from './workspace-file.ts';

export interface AppliedApiKey {
  name: string;
  /** The whole key; only for a new one. */
  key?: string;
  key_prefix: string;
}

/**
 * Creates keys whose names no live key has, and changes the others where the file differs. A key that a person made or revoked
 * stays as it is.
 */
export async function applyApiKeys(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  files: readonly FileApiKey[],
  kept: Kept[],
): Promise<AppliedApiKey[]> {
  const creators = await findCreators(tx, workspace_id, files);
  const names = files.map((file) => file.name);
  const known = new Map((await findNamedApiKeys(tx, workspace_id, names)).map((key) => [key.name, key]));
  for (const value of files.flatMap((file) => listKept(file, known.get(file.name)))) kept.push(value);
  const live = new Map([...known].filter(([, key]) => key.revoked_at === null || key.changed_at !== null));
  const made = files
    .filter(({ name }) => !live.has(name))
    .map(({ name, environment = 'test', scopes = [] }) => ({
      id: newId(clock),
      name,
      environment,
      scopes,
      created_by: creators.get(name) ?? null,
      created_at: clock.now(),
      ...generateApiKey(environment),
    }));
  await insertApiKeys(
    tx,
    workspace_id,
    made.map(({ key: _key, ...row }) => row),
  );
  const changes = files.flatMap(({ name, environment = null, scopes = null }) => {
    const key = live.get(name);
    return key && !key.changed_at ? [{ id: key.id, environment, scopes, created_by: creators.get(name) ?? null }] : [];
  });
  await changeApiKeys(tx, workspace_id, changes);

  const keys = new Map(made.map(({ name, key, key_prefix }) => [name, { name, key, key_prefix }]));
  return files.map(({ name }) => keys.get(name) ?? { name, key_prefix: live.get(name)!.key_prefix });
}

/** How a key that a person made or revoked differs from the file. */
function listKept({ name, environment, scopes }: FileApiKey, key: NamedApiKey | undefined): Kept[] {
  if (!key?.changed_at) return [];
  if (key.revoked_at) return [{ api_key: name, member: 'key', value: 'revoked', in_file: 'live' }];
  const [stored, given] = [key.scopes, scopes ?? key.scopes].map((list) => [...list].sort().join(' '));
  return [
    ...(environment === undefined || environment === key.environment
      ? []
      : [{ api_key: name, member: 'environment', value: key.environment, in_file: environment }]),
    ...(stored === given ? [] : [{ api_key: name, member: 'scopes', value: stored!, in_file: given! }]),
  ];
}

/** The ids of the keys' creators, by key name. */
async function findCreators(
  tx: Transaction,
  workspace_id: string,
  files: readonly FileApiKey[],
): Promise<Map<string, string>> {
  const emails = files.flatMap(({ created_by }) => (created_by === undefined ? [] : [created_by]));
  const users = await findUserIds(tx, workspace_id, emails);
  const creators = new Map<string, string>();
  for (const [index, { name, created_by }] of files.entries()) {
    if (created_by === undefined) continue;
    const id = users.get(created_by);
    if (!id) throw invalid({ detail: 'names no user', pointer: `/api_keys/${index}/created_by` });
    creators.set(name, id);
  }
  return creators;
}
