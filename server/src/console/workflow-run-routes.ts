import { consoleOperations, type WorkflowRunState } from '@majlis/console-api';
import { refuseHidden } from '../conversations/refuse-hidden.ts';
import { parseId } from '../database/ids.ts';
import { readPage } from '../http/page.ts';
import { invalid, Refusal, unknownReference } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { dryRun } from '../workflows/dry-run/dry-run.ts';
import { checkDefinition } from '../workflows/edit/check-definition.ts';
import { presentRunState } from '../workflows/edit/present-states.ts';
import { findWorkflowState } from '../workflows/edit/read-workflow-states.ts';
import { cancelRun } from '../workflows/run/cancel-run.ts';
import { readRunLimits } from '../workflows/run/limit-runs.ts';
import { findRunState, findStanding, listRunStates, type RunStateRow } from '../workflows/run/read-run-states.ts';
import { listRunSteps } from '../workflows/run/read-runs.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** Runs of workflows: those of customers, and dry runs, which leave nothing behind. */
export function workflowRunRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock, config } = resources;
  const limits = readRunLimits(config);

  serve(consoleOperations.listWorkflowRuns, async ({ caller, params, query: { status, cursor, limit } }) => {
    const { workspace_id } = caller;
    const workflow_id = requireId('workflow', params.workflow_id);
    if (!(await findWorkflowState(pool, workspace_id, workflow_id))) throw new Refusal('not_found');
    const scope = JSON.stringify([consoleOperations.listWorkflowRuns.id, workflow_id, status]);
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        async fetch(after, count) {
          const rows = await listRunStates(pool, { workspace_id, workflow_id }, { status, before: after?.[0], count });
          return Promise.all(rows.map((row) => withStep(workspace_id, row)));
        },
        positionOf: ({ row }) => [row.id],
        present: ({ row, step }) => presentRunState(row, step),
      },
    );
    return { status: 200, body: page };
  });

  serve(consoleOperations.getWorkflowRun, async ({ caller, params }) => {
    const { workspace_id } = caller;
    const id = requireId('workflow_run', params.run_id);
    const run = await readRunState(workspace_id, id);
    const steps = (await listRunSteps(pool, workspace_id, id)).map(({ step, name, kind, outcome, reason, at }) => ({
      ...{ step, do: kind, outcome, at: at.toISOString() },
      ...(name !== null && { name }),
      ...(reason !== null && { reason }),
    }));
    return { status: 200, body: { run, steps } };
  });

  serve(consoleOperations.cancelWorkflowRun, async ({ caller, params }) => {
    const { workspace_id } = caller;
    const run_id = requireId('workflow_run', params.run_id);
    await readRunState(workspace_id, run_id);
    await transactionOf(caller, pool, async (tx) => {
      if (!(await cancelRun(tx, { clock, limits }, { workspace_id, run_id }))) {
        throw new Refusal('changed_meanwhile', { detail: 'The run has ended already.' });
      }
      await recordActs(tx, clock, [toAct(caller, 'cancelWorkflowRun', { run_id: params.run_id })]);
    });
    return { status: 200, body: await readRunState(workspace_id, run_id) };
  });

  serve(consoleOperations.dryRunWorkflow, async ({ caller, body }) => {
    const { workspace_id } = caller;
    const workflow_id = body.workflow_id === undefined ? undefined : requireId('workflow', body.workflow_id);
    if (workflow_id && !(await findWorkflowState(pool, workspace_id, workflow_id))) throw new Refusal('not_found');
    // A stored workflow is found by its name, as every other one.
    const of = { workspace_id, id: workflow_id, name: undefined };
    const checked = await checkDefinition(pool, resources, of, body.definition);
    if (!checked.program) {
      throw invalid(checked.faults.map(({ detail, pointer }) => ({ detail, pointer: `/definition${pointer}` })));
    }
    const contact_id = parseId('contact', body.contact_id);
    if (!contact_id) throw invalid(unknownReference('names no contact', '/contact_id'));
    await refuseHidden(pool, caller, { contact_id });
    const { trigger = {}, answers = [], calls = 'answered' } = body;
    const order = { workspace_id, workflow_id, program: checked.program, contact_id, trigger, answers, calls };
    const { reason, ...result } = await dryRun({ pool, clock, limits }, order);
    return { status: 200, body: { ...result, ...(reason !== null && { reason }) } };
  });

  async function withStep(workspace_id: string, row: RunStateRow) {
    return { row, step: await findStanding(pool, workspace_id, row) };
  }

  async function readRunState(workspace_id: string, id: string): Promise<WorkflowRunState> {
    const row = await findRunState(pool, workspace_id, id);
    if (!row) throw new Refusal('not_found');
    return presentRunState(row, await findStanding(pool, workspace_id, row));
  }
}
