import type { Connection } from '../../database/pool.ts';
import type { Program } from '../definition/definition.ts';
import { readDefinition } from '../definition/read-definition.ts';
import { findVersion, type Run } from './run-queries.ts';

// A version never changes, so each is read once by a process. The oldest make way.
const programs = new Map<string, Program>();
const most = 1_000;

/** What the version of a run does. */
export async function loadProgram(
  connection: Connection,
  of: Pick<Run, 'workspace_id' | 'workflow_id' | 'version'>,
): Promise<Program> {
  const key = `${of.workflow_id} ${of.version}`;
  const known = programs.get(key);
  if (known) return known;
  const { definition, faults } = readDefinition(await findVersion(connection, of), '');
  if (!definition) throw new Error(`the workflow ${key} cannot be read: ${JSON.stringify(faults)}`);
  if (programs.size >= most) programs.delete(programs.keys().next().value!);
  programs.set(key, definition);
  return definition;
}
