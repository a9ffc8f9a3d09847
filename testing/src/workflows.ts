import assert from 'node:assert/strict';
import { parseId } from '../../server/src/database/ids.ts';
import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** What is applied again for a workspace that is there: its name and these members. */
export function applyMore(majlis: TestService, workspace: TestWorkspace, members: object) {
  return majlis.operator('PUT', '/workspaces', {
    workspace: { name: workspace.applied.workspace.name },
    ...members,
  });
}

/** Saves published workflows; answers their ids by name. */
export async function publishWorkflows(majlis: TestService, workspace: TestWorkspace, ...workflows: object[]) {
  const published = workflows.map((workflow) => ({ status: 'published', ...workflow }));
  const { status, body } = await applyMore(majlis, workspace, { workflows: published });
  assert.equal(status, 200, JSON.stringify(body));
  return new Map<string, string>(body.workflows.map(({ id, name }: AnyJson) => [name, id]));
}

/** Starts a run by the API; answers its id. */
export async function startRun({ api }: TestWorkspace, workflow_id: string, contact: object, variables?: object) {
  const { status, body, text } = await api.post(`/workflows/${workflow_id}/runs`, { contact, variables });
  assert.equal(status, 202, text);
  assert.equal(body.status, 'running');
  return body.run_id as string;
}

/** A run as the operator reads it, with its steps. */
export async function readRun(majlis: TestService, workspace: TestWorkspace, run_id: string): Promise<AnyJson> {
  const { status, body } = await majlis.operator('GET', `/workspaces/${workspace.id}/workflow-runs/${run_id}`);
  assert.equal(status, 200);
  return body;
}

export function untilRun(
  majlis: TestService,
  workspace: TestWorkspace,
  run_id: string,
  holds: (run: AnyJson) => boolean,
) {
  return eventually(() => readRun(majlis, workspace, run_id), holds);
}

/** Waits until the run has ended. */
export function untilRunEnded(majlis: TestService, workspace: TestWorkspace, run_id: string): Promise<AnyJson> {
  return untilRun(majlis, workspace, run_id, ({ status }) => status !== 'running');
}

/** The runs of a workspace, the first first. */
export async function listRuns(majlis: TestService, workspace: TestWorkspace): Promise<AnyJson[]> {
  const { body } = await majlis.operator('GET', `/workspaces/${workspace.id}/workflow-runs`);
  return body.data.reverse();
}

/** Waits until so many runs have begun, in one workspace. */
export function untilRuns(majlis: TestService, workspace: TestWorkspace, count: number): Promise<AnyJson[]> {
  return eventually(
    () => listRuns(majlis, workspace),
    (runs) => runs.length >= count,
  );
}

/** Waits until nothing that is due is left to begin or to move on. */
export async function untilWorkflowsIdle(majlis: TestService): Promise<void> {
  await eventually(
    async () => {
      const { now } = (await majlis.operator('GET', '/clock')).body;
      // A job that ends while the time is read leaves the next one with a later time.
      const until = new Date(Date.parse(now) + 1000);
      return majlis.sql(`select id from jobs where kind like 'workflows.%' and run_at <= $1`, [until]);
    },
    (jobs) => jobs.length === 0,
  );
}

/** What the business wrote in a conversation, in order. */
export async function outboundTexts(majlis: TestService, conversation_id: string): Promise<string[]> {
  const rows = await majlis.sql<{ body: string }>(
    `select body from messages where conversation_id = $1 and direction = 'outbound' and kind <> 'note' order by id`,
    [parseId('conversation', conversation_id)],
  );
  return rows.map(({ body }) => body);
}
