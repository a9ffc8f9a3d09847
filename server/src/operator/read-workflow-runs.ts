import { parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { invalid, Refusal } from '../http/reply/refusal.ts';
import { findWorkflowRun, listRunSteps, listWorkflowRuns, type RunRow } from '../workflows/run/read-runs.ts';
import { getWorkspaceId } from './apply/get-workspace-id.ts';

const pageSize = 1_000;

/** The runs of a workspace, or of one workflow, the latest first, 1,000 at a time behind the run `after`. */
export async function readWorkflowRuns(
  connection: Connection,
  { id }: { id: string },
  { workflow_id, after }: { workflow_id?: string; after?: string },
): Promise<{ data: object[]; has_more: boolean }> {
  const workspace_id = await getWorkspaceId(connection, id);
  // A parameter that is given twice is a list.
  const workflow = workflow_id === undefined ? undefined : parseId('workflow', String(workflow_id));
  if (workflow_id !== undefined && !workflow) throw invalid({ detail: 'names no workflow', pointer: '/workflow_id' });
  const before = after === undefined ? undefined : parseId('workflow_run', String(after));
  if (after !== undefined && !before) throw invalid({ detail: 'names no run', pointer: '/after' });
  const rows = await listWorkflowRuns(connection, workspace_id, { workflow_id: workflow, before, count: pageSize + 1 });
  return { data: rows.slice(0, pageSize).map(presentRun), has_more: rows.length > pageSize };
}

/** One run with its steps: what each came to, and why. */
export async function readWorkflowRun(
  connection: Connection,
  { id, run_id }: { id: string; run_id: string },
): Promise<object> {
  const workspace_id = await getWorkspaceId(connection, id);
  const run = parseId('workflow_run', run_id);
  const row = run && (await findWorkflowRun(connection, workspace_id, run));
  if (!row) throw new Refusal('not_found', { detail: 'There is no such run.' });
  const steps = await listRunSteps(connection, workspace_id, row.id);
  return {
    ...presentRun(row),
    steps: steps.map(({ step, name, kind, outcome, reason, at }) => ({
      step,
      ...(name !== null && { name }),
      do: kind,
      outcome,
      ...(reason !== null && { reason }),
      at: at.toISOString(),
    })),
  };
}

function presentRun(row: RunRow): object {
  return {
    id: publicId('workflow_run', row.id),
    workflow_id: publicId('workflow', row.workflow_id),
    version: row.version,
    contact_id: publicId('contact', row.contact_id),
    ...(row.conversation_id !== null && { conversation_id: publicId('conversation', row.conversation_id) }),
    status: row.status,
    ...(row.reason !== null && { reason: row.reason }),
    started_at: row.started_at.toISOString(),
    ...(row.ended_at !== null && { ended_at: row.ended_at.toISOString() }),
  };
}
