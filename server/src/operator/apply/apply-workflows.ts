import { isDeepStrictEqual } from 'node:util';
import type { ErrorDetail } from '@majlis/contract';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import { findWorkspaceFaults } from '../../workflows/definition/find-workspace-faults.ts';
import { readDefinition } from '../../workflows/definition/read-definition.ts';
import { openHeaders, sealHeaders } from '../../workflows/definition/seal-headers.ts';
import { type LockedWorkflow, lockWorkflows, storeWorkflow } from '../../workflows/queries.ts';
import type { Kept } from './kept.ts';
import type { FileWorkflow } from './workspace-file.ts';

/**
 * Saves workflows by name. A changed definition is a new version; runs under way keep theirs. Members absent from the file
 * stay, and so do a status that a person set and a definition that a person saved. Answers the ids by name.
 */
export async function applyWorkflows(
  tx: Transaction,
  { clock, secretBox }: { clock: Clock; secretBox: SecretBox },
  workspace_id: string,
  files: readonly FileWorkflow[],
  kept: Kept[],
): Promise<Map<string, string>> {
  if (files.length === 0) return new Map();
  const names = files.map(({ name }) => name);
  const rows = (await lockWorkflows(tx, workspace_id, names)).map((row) => {
    return { ...row, definition: row.definition && open(row.definition, secretBox, workspace_id) };
  });
  const stored = new Map(rows.map((row) => [row.name, row]));
  const read = files.map((file, index) => readFile(file, stored.get(file.name), `/workflows/${index}`));
  const faults = [
    ...read.flatMap((one) => one.faults),
    ...(await findWorkspaceFaults(
      tx,
      workspace_id,
      read.flatMap(({ definition, pointer }) => (definition ? [{ definition, pointer }] : [])),
      names,
    )),
  ];
  if (faults.length > 0) throw invalid(faults);
  const ids = new Map<string, string>();
  for (const { file, given, definition } of read) {
    const before = stored.get(file.name);
    const id = before?.id ?? newId(clock);
    ids.set(file.name, id);
    const status = before?.status_set_at ? before.status : (file.status ?? before?.status ?? 'draft');
    if (file.status !== undefined && file.status !== status) {
      kept.push({ workflow: file.name, member: 'status', value: status, in_file: file.status });
    }
    const isSame = before?.definition != null && isDeepStrictEqual(before.definition, given);
    const isKept = !isSame && before?.definition != null && before.definition_set_at !== null;
    if (isKept) {
      const in_file = 'another definition';
      kept.push({ workflow: file.name, member: 'definition', value: `version ${before.version}`, in_file });
    }
    if ((isSame || isKept) && before.status === status) continue;
    const stays = isSame || isKept ? before : undefined;
    const program = isKept ? readDefinition(before.definition, '').definition! : definition!;
    const { trigger, waits_for = null, after_seconds = null } = program;
    const version = stays ? stays.version : (before?.version ?? 0) + 1;
    const row = { workspace_id, id, name: file.name, status, trigger, waits_for, after_seconds, version };
    const sealed = sealHeaders(stays?.definition ?? given, secretBox, workspace_id);
    await storeWorkflow(tx, { ...row, definition: sealed, updated_at: clock.now(), saved_by: null });
  }
  return ids;
}

/** A definition sealed with another key counts as lost, so the file must hold the whole workflow. */
function open(definition: Record<string, unknown>, secretBox: SecretBox, workspace_id: string) {
  try {
    return openHeaders(definition, secretBox, workspace_id);
  } catch {
    return null;
  }
}

interface Read {
  file: FileWorkflow;
  pointer: string;
  given: Record<string, unknown>;
  definition: ReturnType<typeof readDefinition>['definition'];
  faults: ErrorDetail[];
}

function readFile(file: FileWorkflow, before: LockedWorkflow | undefined, pointer: string): Read {
  const { name: _name, status: _status, ...members } = file;
  const given = { ...before?.definition, ...members };
  return { file, pointer, given, ...readDefinition(given, pointer) };
}
