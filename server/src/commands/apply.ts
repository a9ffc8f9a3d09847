import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { findUnknownMembers } from '../operator/apply/find-unknown-members.ts';
import { WorkspaceFile } from '../operator/apply/workspace-file.ts';
import { CannotRun } from '../process/cannot-run.ts';
import { readConfig } from '../process/config.ts';
import { askOperator } from './ask-operator.ts';
import { findDoor } from './find-door.ts';

export interface ApplyOptions {
  file: string;
  json?: boolean;
  url?: string;
}

/** `majlis apply -f workspace.yaml` */
export async function apply({ file, json, url }: ApplyOptions): Promise<void> {
  const config = readConfig(process.env, 'apply');
  const workspace = await readWorkspaceFile(file);
  for (const pointer of findUnknownMembers(WorkspaceFile, workspace)) {
    process.stderr.write(`majlis: ${file} has ${pointer}, which means nothing and is passed over\n`);
  }
  const applied = (await askOperator(await findDoor(config, url), 'PUT', '/workspaces', workspace)) as Applied;
  process.stdout.write(json ? `${JSON.stringify(applied, undefined, 2)}\n` : describeApplied(applied));
}

/** Reads YAML. JSON is a subset of YAML. */
async function readWorkspaceFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CannotRun(`${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`);
  });
  try {
    return parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0]?.replace(/:$/, '') : error;
    throw new CannotRun(`${file} is neither YAML nor JSON: ${reason}`, { cause: error });
  }
}

/** The service's answer: the lists of the file, each entry with its id. */
interface Applied {
  workspace: { id: string; name: string };
  api_keys?: AppliedKey[];
  kept?: KeptEntry[];
  [list: string]: unknown;
}

/** A value that people changed, so that the file did not. Its first member names the entry, as in `user` or `workflow`. */
interface KeptEntry {
  [kind: string]: string | null;
  member: string;
  value: string | null;
  in_file: string;
}

interface AppliedKey {
  name: string;
  /** Present only if this call made the key. */
  key?: string;
  key_prefix: string;
}

function describeApplied({ workspace, api_keys = [], kept = [], ...lists }: Applied): string {
  const lines = [`workspace ${workspace.name}: ${workspace.id}`];
  for (const [list, entries] of Object.entries(lists)) {
    if (!Array.isArray(entries) || entries.length === 0) continue;
    lines.push(`${list.replaceAll('_', ' ')}:`);
    for (const { id, ...names } of entries) lines.push(`  ${id}  ${Object.values(names).join(' ')}`);
  }
  if (api_keys.length > 0) lines.push('api keys:');
  for (const { name, key, key_prefix } of api_keys) {
    lines.push(key ? `  ${name}  ${key}  (new: shown this once)` : `  ${name}  ${key_prefix}…`);
  }
  if (kept.length > 0) lines.push('kept as people changed it:');
  for (const { member, value, in_file, ...entry } of kept) {
    const [[kind, name]] = Object.entries(entry) as [[string, string]];
    lines.push(`  ${kind.replaceAll('_', ' ')} ${name}  ${member} ${value ?? 'none'}  (the file says ${in_file})`);
  }
  return `${lines.join('\n')}\n`;
}
