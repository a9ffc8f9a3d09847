import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { ExportedWorkspace } from '../operator/export/export-workspace.ts';
import { CannotRun } from '../process/cannot-run.ts';
import { readConfig } from '../process/config.ts';
import { askOperator } from './ask-operator.ts';
import { findDoor } from './find-door.ts';

export interface ExportOptions {
  workspace: string;
  output?: string;
  url?: string;
}

/** `majlis export-workspace`: prints the workspace as a file that `majlis apply` takes. */
export async function exportWorkspace({ workspace, output, url }: ExportOptions): Promise<void> {
  const door = await findDoor(readConfig(process.env, 'apply'), url);
  const path = `/workspace-file?${new URLSearchParams({ workspace })}`;
  const text = describe((await askOperator(door, 'GET', path)) as ExportedWorkspace);
  if (output === undefined) return void process.stdout.write(text);
  await writeFile(output, text, { mode: 0o600 }).catch((error: Error) => {
    throw new CannotRun(`${output} cannot be written: ${error.message}`);
  });
}

function describe({ file, secrets }: ExportedWorkspace): string {
  const notes = secrets.length === 0 ? [] : ['# Secrets are not exported. Fill in before this is applied elsewhere:'];
  return [...notes, ...secrets.map((place) => `#   ${place}`), stringify(file)].join('\n');
}
