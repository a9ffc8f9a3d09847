import type { Connection } from '../../database/pool.ts';
import type { Program } from '../definition/definition.ts';
import { readDefinition } from '../definition/read-definition.ts';
import { findVersion, type RunState } from './run-queries.ts';

// A version never changes, so a process compiles each version once. After a rotation of SECRET_KEY its headers are sealed anew, and
// the process still has the key of those it knows. The oldest entries are dropped.
const programs = new Map<string, Program>();
const maxPrograms = 1_000;

/** The program of the version of a run. Throws if the stored definition is invalid. */
export async function loadProgram(
  connection: Connection,
  of: Pick<RunState, 'workspace_id' | 'workflow_id' | 'version'>,
): Promise<Program> {
  const key = `${of.workflow_id} ${of.version}`;
  const known = programs.get(key);
  if (known) return known;
  const { definition, faults } = readDefinition(await findVersion(connection, of), '');
  if (!definition) throw new Error(`the workflow ${key} cannot be read: ${JSON.stringify(faults)}`);
  if (programs.size >= maxPrograms) programs.delete(programs.keys().next().value!);
  programs.set(key, definition);
  return definition;
}
