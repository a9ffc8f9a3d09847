import type { ErrorDetail } from '@majlis/contract';
import type { Connection } from '../../database/pool.ts';
import type { Program } from './definition.ts';
import { findUnknownNames } from './find-unknown-names.ts';
import { findUnsendableTemplates } from './find-unsendable-templates.ts';

/** Faults of steps that the rest of the workspace decides. Call after the rest of the file is saved. */
export async function findWorkspaceFaults(
  connection: Connection,
  workspace_id: string,
  programs: readonly { definition: Program; pointer: string }[],
  /** Names of the workflows in the same file. */
  workflows: readonly string[],
): Promise<ErrorDetail[]> {
  const unknown = await findUnknownNames(connection, workspace_id, programs, workflows);
  return [...unknown, ...(await findUnsendableTemplates(connection, workspace_id, programs))];
}
