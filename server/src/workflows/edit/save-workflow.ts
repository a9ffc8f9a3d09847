import { isDeepStrictEqual } from 'node:util';
import type { WorkflowStatus } from '@majlis/contract';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { requireText } from '../../http/require-text.ts';
import type { Clock } from '../../process/clock.ts';
import type { SecretBox } from '../../secrets/encrypt.ts';
import type { Program } from '../definition/definition.ts';
import { openHeaders, sealHeaders } from '../definition/seal-headers.ts';
import { type LockedWorkflow, lockWorkflow, lockWorkflows, setWorkflowStatus, storeWorkflow } from '../queries.ts';
import { findVersion } from '../run/run-queries.ts';
import { checkDefinition, type Definition } from './check-definition.ts';

interface Context {
  clock: Clock;
  secretBox: SecretBox;
}

/** The person who edits, and the workflow. */
interface Editor {
  workspace_id: string;
  user_id: string;
}

/** Makes a workflow as a draft. Answers its id. */
export async function createWorkflow(
  tx: Transaction,
  context: Context,
  { workspace_id, user_id }: Editor,
  { name: given_name, definition: given }: { name: string; definition: Definition },
): Promise<string> {
  const name = requireText(given_name, '/name');
  if ((await lockWorkflows(tx, workspace_id, [name])).length > 0) {
    throw invalid({ detail: 'is the name of another workflow', pointer: '/name' });
  }
  const checked = await requireSound(tx, context, { workspace_id, id: undefined, name }, given);
  const id = newId(context.clock);
  await store(tx, context, { workspace_id, id, name, status: 'draft', version: 1, saved_by: user_id }, checked);
  return id;
}

/** Saves a definition as a new version, unless somebody saved another one since `expected`. The same definition is no new version. */
export async function saveWorkflow(
  tx: Transaction,
  context: Context,
  { workspace_id, user_id }: Editor,
  id: string,
  { expected, definition: given }: { expected: number; definition: Definition },
): Promise<LockedWorkflow> {
  const before = await requireVersion(tx, workspace_id, id, expected);
  const { name, status } = before;
  const checked = await requireSound(tx, context, { workspace_id, id, name }, given);
  if (isSame(before.definition, checked.definition, context, workspace_id)) return before;
  const version = before.version + 1;
  await store(tx, context, { workspace_id, id, name, status, version, saved_by: user_id }, checked);
  return { ...before, version };
}

/** Saves the definition of an earlier version as a new one. Its secrets come with it. */
export async function restoreVersion(
  tx: Transaction,
  context: Context,
  { workspace_id, user_id }: Editor,
  id: string,
  { expected, restored }: { expected: number; restored: number },
): Promise<LockedWorkflow> {
  const { name, status, ...before } = await requireVersion(tx, workspace_id, id, expected);
  const stored = await findVersion(tx, { workspace_id, workflow_id: id, version: restored });
  if (!stored) throw new Refusal('not_found');
  const definition = tryOpen(stored as Definition, context, workspace_id);
  if (!definition) {
    throw invalid({ detail: 'has secrets that no key of the service opens any more', pointer: '/version' });
  }
  const checked = await requireSound(tx, context, { workspace_id, id, name }, definition);
  const version = before.version + 1;
  const row = { workspace_id, id, name, status, version, saved_by: user_id, restored_from: restored };
  await store(tx, context, row, checked);
  return { ...before, name, status, version };
}

/** Publishes, pauses or makes a draft of the version that the person has seen, unless somebody changed it or the status. */
export async function changeStatus(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  workspace_id: string,
  id: string,
  { expected, expected_status, status }: { expected: number; expected_status: WorkflowStatus; status: WorkflowStatus },
): Promise<void> {
  const before = await requireVersion(tx, workspace_id, id, expected);
  if (before.status !== expected_status) throw new Refusal('changed_meanwhile');
  if (status !== 'draft' && before.version === 0) {
    throw invalid({ detail: 'needs a version: save the steps first', pointer: '/status' });
  }
  await setWorkflowStatus(tx, workspace_id, id, { status, now: clock.now(), by_person: true });
}

async function requireVersion(
  tx: Transaction,
  workspace_id: string,
  id: string,
  expected: number,
): Promise<LockedWorkflow> {
  const before = await lockWorkflow(tx, workspace_id, id);
  if (!before) throw new Refusal('not_found');
  if (before.version !== expected) throw new Refusal('changed_meanwhile');
  return before;
}

interface Sound {
  program: Program;
  definition: Definition;
}

async function requireSound(
  tx: Transaction,
  context: Context,
  of: { workspace_id: string; id: string | undefined; name: string },
  given: Definition,
): Promise<Sound> {
  const checked = await checkDefinition(tx, context, of, given);
  if (!checked.program) {
    throw invalid(checked.faults.map(({ detail, pointer }) => ({ detail, pointer: `/definition${pointer}` })));
  }
  return checked;
}

interface NewVersion {
  workspace_id: string;
  id: string;
  name: string;
  status: WorkflowStatus;
  version: number;
  saved_by: string;
  restored_from?: number;
}

async function store(
  tx: Transaction,
  { clock, secretBox }: Context,
  row: NewVersion,
  { program, definition }: Sound,
): Promise<void> {
  const { trigger, waits_for = null, after_seconds = null } = program;
  const sealed = sealHeaders(definition, secretBox, row.workspace_id);
  await storeWorkflow(tx, {
    ...row,
    ...{ trigger, waits_for, after_seconds },
    definition: sealed,
    updated_at: clock.now(),
  });
}

function isSame(stored: Definition | null, given: Definition, context: Context, workspace_id: string): boolean {
  const open = stored && tryOpen(stored, context, workspace_id);
  return open !== null && open !== undefined && isDeepStrictEqual(open, given);
}

function tryOpen(definition: Definition, { secretBox }: Context, workspace_id: string): Definition | undefined {
  try {
    return openHeaders(definition, secretBox, workspace_id);
  } catch {
    return undefined;
  }
}
