import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { inDataDir } from '../process/data-dir.ts';
import { writeOnce } from '../process/local-secrets.ts';
import { askOperator, type OperatorDoor } from './ask-operator.ts';
import { demoKeyName } from './demo-workspace.ts';

export interface Demo {
  /** The file with the key. The printed example reads it, because later starts do not show the key. */
  key_file: string;
  /** Present only at the first start. */
  key?: string;
}

/**
 * Creates the demo workspace if no key is stored, or if the service does not know the stored key because its database is
 * new. Later starts leave the workspace as it is.
 */
export async function openDemo(door: OperatorDoor, data_dir: string, file: object): Promise<Demo> {
  const key_file = path.join(data_dir, 'demo-api-key');
  const kept = await readFile(key_file, 'utf8').catch(() => undefined);
  if (kept && (await isValid(door.url, kept))) return { key_file };
  const key = await makeKey(door, file);
  await inDataDir(data_dir, async () => {
    await rm(key_file, { force: true });
    await writeOnce(key_file, key);
  });
  return { key_file, key };
}

async function isValid(url: string, key: string): Promise<boolean> {
  const { status } = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  return status !== 401;
}

/** The service shows a key once. If a crash lost the key before it was stored, a new key replaces it. */
async function makeKey(door: OperatorDoor, file: object): Promise<string> {
  const first = await put(door, file);
  if (first.key) return first.key;
  await askOperator(door, 'DELETE', `/workspaces/${first.workspace_id}/api-keys/${demoKeyName}`);
  const second = await put(door, file);
  if (!second.key) throw new Error('the service made no key for the demo workspace');
  return second.key;
}

async function put(door: OperatorDoor, file: object): Promise<{ workspace_id: string; key: string | undefined }> {
  const applied = (await askOperator(door, 'PUT', '/workspaces', file)) as {
    workspace: { id: string };
    api_keys: { name: string; key?: string }[];
  };
  return {
    workspace_id: applied.workspace.id,
    key: applied.api_keys.find(({ name }) => name === demoKeyName)?.key,
  };
}
