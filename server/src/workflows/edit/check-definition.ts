import type { ErrorDetail } from '@majlis/contract';
import type { Connection } from '../../database/pool.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import type { Program } from '../definition/definition.ts';
import { findWorkspaceFaults } from '../definition/find-workspace-faults.ts';
import { readDefinition } from '../definition/read-definition.ts';
import { listMarkedVersions, openMarks } from '../definition/secret-marks.ts';
import { findVersion } from '../run/run-queries.ts';

export type Definition = Record<string, unknown>;

interface Context {
  secretBox: SecretBox;
}

/** The workflow that has the definition. Without an id it does not exist yet. */
export interface NamedWorkflow {
  workspace_id: string;
  id: string | undefined;
  /** A workflow may start itself by its name. */
  name: string | undefined;
}

export type CheckedDefinition =
  | { faults: ErrorDetail[]; program: undefined }
  /** `definition` has its secrets in the clear. */
  | { faults: []; program: Program; definition: Definition };

/** Checks a definition as the workspace file is checked: all faults, each with the pointer to its step. */
export async function checkDefinition(
  connection: Connection,
  { secretBox }: Context,
  { workspace_id, id, name }: NamedWorkflow,
  given: Definition,
): Promise<CheckedDefinition> {
  const { definition: program, faults } = readDefinition(given, '');
  if (!program) return { faults, program: undefined };
  const known = name === undefined ? [] : [name];
  const unfit = await findWorkspaceFaults(connection, workspace_id, [{ definition: program, pointer: '' }], known);
  const stored = new Map<number, Definition>();
  for (const version of id === undefined ? [] : listMarkedVersions(given)) {
    const one = await findVersion(connection, { workspace_id, workflow_id: id!, version });
    if (one) stored.set(version, one as Definition);
  }
  const opened = openMarks(given, stored, { box: secretBox, workspace_id });
  const all = [...unfit, ...opened.faults];
  if (all.length > 0) return { faults: all, program: undefined };
  return { faults: [], program, definition: opened.definition };
}
