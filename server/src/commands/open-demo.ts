import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { inDataDir } from '../process/data-dir.ts';
import { writeOnce } from '../process/local-secrets.ts';
import { askOperator, type OperatorDoor } from './ask-operator.ts';
import { demoKeyName, demoName, demoOwner } from './demo-workspace.ts';

export interface Demo {
  /** The file with the key. The printed example reads it, because later starts do not show the key. */
  key_file: string;
  /** Present only at the first start. */
  key?: string;
  /** The ids of what the workspace file names, at the first start only. */
  applied?: AppliedDemo;
}

export type AppliedDemo = { workspace: { id: string }; api_keys: { name: string; key?: string }[] } & Record<
  'channels' | 'stages' | 'closing_categories' | 'users' | 'teams' | 'ai_agents' | 'workflows',
  { id: string; name?: string; email?: string }[]
>;

/**
 * Creates the demo workspace if no key is stored, or if the service does not know the stored key because its database is
 * new. Later starts leave the workspace as it is.
 */
export async function openDemo(door: OperatorDoor, data_dir: string, file: object): Promise<Demo> {
  const key_file = path.join(data_dir, 'demo-api-key');
  const kept = await readFile(key_file, 'utf8').catch(() => undefined);
  if (kept && (await isValid(door.url, kept))) return { key_file };
  const { key, applied } = await makeKey(door, file);
  await inDataDir(data_dir, async () => {
    await rm(key_file, { force: true });
    await writeOnce(key_file, key);
  });
  return { key_file, key, applied };
}

async function isValid(url: string, key: string): Promise<boolean> {
  const { status } = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  return status !== 401;
}

/** The service shows a key once. If a crash lost the key before it was stored, a new key replaces it. */
async function makeKey(door: OperatorDoor, file: object): Promise<{ key: string; applied: AppliedDemo }> {
  const first = await put(door, file);
  const key = keyOf(first);
  if (key) return { key, applied: first };
  await askOperator(door, 'DELETE', `/workspaces/${first.workspace.id}/api-keys/${demoKeyName}`);
  const second = await put(door, file);
  const replaced = keyOf(second);
  if (!replaced) throw new Error('the service made no key for the demo workspace');
  return { key: replaced, applied: second };
}

async function put(door: OperatorDoor, file: object): Promise<AppliedDemo> {
  return (await askOperator(door, 'PUT', '/workspaces', file)) as AppliedDemo;
}

function keyOf({ api_keys }: AppliedDemo): string | undefined {
  return api_keys.find(({ name }) => name === demoKeyName)?.key;
}

/** The path of a new link that signs the owner of the demo workspace in. */
export async function makeSignInPath(door: OperatorDoor): Promise<string> {
  const { email, role } = demoOwner;
  const order = { kind: 'sign_in', workspace: demoName, email, role };
  return ((await askOperator(door, 'POST', '/links', order)) as { path: string }).path;
}
