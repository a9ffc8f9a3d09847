import { consoleOperations } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import type { Transaction } from '../database/transaction.ts';
import { readPage } from '../http/page.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { checkDefinition } from '../workflows/edit/check-definition.ts';
import { presentState, presentVersion, presentVersionDefinition } from '../workflows/edit/present-states.ts';
import {
  findWorkflowState,
  findWorkflowVersion,
  listWorkflowStates,
  listWorkflowVersions,
} from '../workflows/edit/read-workflow-states.ts';
import { changeStatus, createWorkflow, restoreVersion, saveWorkflow } from '../workflows/edit/save-workflow.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import type { PersonCaller } from './authenticate-person.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** Workflows as administrators write them: definitions, versions, states. */
export function workflowEditRoutes(serve: ServeConsole, resources: Resources): void {
  const { config, pool, clock } = resources;

  const within = <Result>(tx: Transaction, { workspace_id }: PersonCaller, work: () => Promise<Result>) =>
    withinQuota(tx, config.quotas, { workspace_id, kind: 'workflows' }, work);

  serve(consoleOperations.listWorkflowStates, async ({ caller }) => ({
    status: 200,
    body: { data: (await listWorkflowStates(pool, caller.workspace_id)).map(presentState) },
  }));

  serve(consoleOperations.getWorkflow, async ({ caller, params }) => {
    const id = requireId('workflow', params.workflow_id);
    return { status: 200, body: await readDetail(pool, caller.workspace_id, id) };
  });

  serve(consoleOperations.createWorkflow, async ({ caller, body }) => {
    const detail = await transactionOf(caller, pool, async (tx) => {
      const id = await within(tx, caller, () => createWorkflow(tx, resources, caller, body));
      await record(tx, caller, 'createWorkflow', id, { name: body.name.trim() });
      return readDetail(tx, caller.workspace_id, id);
    });
    return { status: 201, body: detail };
  });

  serve(consoleOperations.saveWorkflow, async ({ caller, params, body: { version: expected, definition } }) => {
    const id = requireId('workflow', params.workflow_id);
    const detail = await transactionOf(caller, pool, async (tx) => {
      const { name, version } = await within(tx, caller, () =>
        saveWorkflow(tx, resources, caller, id, { expected, definition }),
      );
      if (version !== expected) await record(tx, caller, 'saveWorkflow', id, { name, version });
      return readDetail(tx, caller.workspace_id, id);
    });
    return { status: 200, body: detail };
  });

  serve(consoleOperations.restoreWorkflowVersion, async ({ caller, params, body }) => {
    const id = requireId('workflow', params.workflow_id);
    const restored = requireNumber(params.version);
    const detail = await transactionOf(caller, pool, async (tx) => {
      const saved = await within(tx, caller, () =>
        restoreVersion(tx, resources, caller, id, { expected: body.version, restored }),
      );
      const { name, version } = saved;
      await record(tx, caller, 'restoreWorkflowVersion', id, { name, version, restored_from: restored });
      return readDetail(tx, caller.workspace_id, id);
    });
    return { status: 200, body: detail };
  });

  serve(consoleOperations.switchWorkflow, async ({ caller, params, body }) => {
    const id = requireId('workflow', params.workflow_id);
    const { version: expected, expected_status, status } = body;
    const detail = await transactionOf(caller, pool, async (tx) => {
      await changeStatus(tx, resources, caller.workspace_id, id, { expected, expected_status, status });
      await record(tx, caller, 'switchWorkflow', id, { status });
      return readDetail(tx, caller.workspace_id, id);
    });
    return { status: 200, body: detail };
  });

  serve(consoleOperations.listWorkflowVersions, async ({ caller, params, query: { cursor, limit } }) => {
    const { workspace_id } = caller;
    const id = requireId('workflow', params.workflow_id);
    if (!(await findWorkflowState(pool, workspace_id, id))) throw new Refusal('not_found');
    const scope = JSON.stringify([consoleOperations.listWorkflowVersions.id, id]);
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        fetch: (after, count) =>
          listWorkflowVersions(pool, workspace_id, id, { before: after && Number(after[0]), count }),
        positionOf: (row) => [String(row.version)],
        present: presentVersion,
      },
    );
    return { status: 200, body: page };
  });

  serve(consoleOperations.getWorkflowVersion, async ({ caller, params }) => {
    const id = requireId('workflow', params.workflow_id);
    const row = await findWorkflowVersion(pool, caller.workspace_id, id, requireNumber(params.version));
    if (!row) throw new Refusal('not_found');
    return { status: 200, body: { version: presentVersion(row), definition: presentVersionDefinition(row) } };
  });

  serve(consoleOperations.checkWorkflow, async ({ caller, body }) => {
    const { workspace_id } = caller;
    const id = body.workflow_id === undefined ? undefined : requireId('workflow', body.workflow_id);
    const state = id && (await findWorkflowState(pool, workspace_id, id));
    if (id && !state) throw new Refusal('not_found');
    const of = { workspace_id, id, name: state ? state.name : undefined };
    const { faults } = await checkDefinition(pool, resources, of, body.definition);
    return { status: 200, body: { faults } };
  });

  type Action = 'createWorkflow' | 'saveWorkflow' | 'restoreWorkflowVersion' | 'switchWorkflow';

  async function record(tx: Transaction, caller: PersonCaller, action: Action, id: string, details: object) {
    const targets = { workflow_id: publicId('workflow', id) };
    await recordActs(tx, clock, [toAct(caller, action, targets, details)]);
  }
}

async function readDetail(connection: Connection, workspace_id: string, id: string) {
  const row = await findWorkflowState(connection, workspace_id, id);
  if (!row) throw new Refusal('not_found');
  return { workflow: presentState(row), definition: presentVersionDefinition(row) };
}

/** The number of a version in a path. */
function requireNumber(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new Refusal('not_found');
  return Number(given);
}
