import { operations } from '@majlis/contract';
import { parseId, publicId } from '../database/ids.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { presentWorkflow } from './present.ts';
import { listWorkflows, setWorkflowStatus } from './queries.ts';
import { readRunLimits } from './run/limit-runs.ts';
import { startWorkflowRun } from './run/start-run.ts';

export function workflowRoutes(serve: Serve, { pool, clock, config }: Resources): void {
  const limits = readRunLimits(config);
  serve.read(operations.listWorkflows, async ({ caller }) => {
    const rows = await listWorkflows(pool, caller.workspace_id);
    return { data: rows.map(presentWorkflow) };
  });

  serve.write(operations.setWorkflowStatus, async (tx, { caller, params, body }) => {
    const id = parseId('workflow', params.workflow_id);
    const change = { status: body.status, now: clock.now(), by_person: caller.is_person === true };
    const row = id && (await setWorkflowStatus(tx, caller.workspace_id, id, change));
    if (!row) throw new Refusal('not_found');
    return { status: 200, body: presentWorkflow(row) };
  });

  serve.write(operations.startWorkflowRun, async (tx, { caller, params, body }) => {
    const { id, contact_id } = await startWorkflowRun({ tx, clock, limits }, caller, { ...params, body });
    return { status: 202, body: { run_id: publicId('workflow_run', id), status: 'running' }, about: { contact_id } };
  });
}
