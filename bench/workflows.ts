import { setTimeout } from 'node:timers/promises';
import { createApi } from '@majlis/testing/api';
import { callOperator } from '@majlis/testing/operator';
import type { BenchEnvironment } from './environment.ts';
import { print, printCosts } from './print.ts';
import type { BenchService } from './service.ts';
import { type BenchTenant, customerNumber } from './tenants.ts';

const runs = 1_000;
const steps = [
  { do: 'set_tag', tag: 'asked' },
  { do: 'send_message', text: 'Hello {{contact.name}}, your order {{trigger.variables.number}} is here.' },
  {
    do: 'branch',
    cases: [
      { when: [{ value: '{{trigger.variables.number}}', contains: 'A' }], steps: [{ do: 'add_note', text: 'A' }] },
    ],
  },
  { do: 'clear_tag', tag: 'asked' },
  { do: 'wait', for: '1d' },
];

/** 1,000 runs of five steps, one for each customer; then the cost of 1,000 waiting runs. */
export async function measureWorkflows(environment: BenchEnvironment, tenants: BenchTenant[]): Promise<void> {
  const tenant = tenants[2]!;
  const service = await environment.start('api,worker');
  const resting = await measureRest(environment, service);
  const workflow = await publish(environment, service, tenant);
  await environment.db.query(`update conversations set window_expires_at = now() + interval '1 day'`);
  const costs = environment.measureCosts(service);
  const from = performance.now();
  const performed = 'select count(*) from workflow_run_steps';
  await startRuns(service, tenant, workflow);
  while ((await environment.count(performed)) < runs * (steps.length + 1)) await setTimeout(50);
  const seconds = (performance.now() - from) / 1000;
  print('1,000 workflow runs, started by the API and moved until they wait', `${seconds.toFixed(1)} s`);
  const count = await environment.count(performed);
  print('  steps', `${(count / seconds).toFixed(0)}/s`);
  printCosts(costs(), count);
  await environment.untilNoJobs('messages.deliver_message');
  const waiting = await measureRest(environment, service);
  print('statements a second at rest, without runs', resting.statements.toFixed(1));
  print('  while 1,000 runs wait', waiting.statements.toFixed(1));
  print('processor time a second at rest, without runs', `${resting.ms.toFixed(1)} ms`);
  print('  while 1,000 runs wait', `${waiting.ms.toFixed(1)} ms`);
  await service.stop();
}

/** The cost of an idle service in a second. */
async function measureRest(
  environment: BenchEnvironment,
  service: BenchService,
): Promise<{ statements: number; ms: number }> {
  await setTimeout(5_000);
  const costs = environment.measureCosts(service);
  const read = `select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()`;
  const before = await environment.count(read);
  await setTimeout(environment.seconds * 1000);
  const after = await environment.count(read);
  const [ofService, ofPostgres] = costs();
  return { statements: (after - before) / environment.seconds, ms: (ofService + ofPostgres) / environment.seconds };
}

async function publish(
  { db }: BenchEnvironment,
  service: BenchService,
  { workspace_id }: BenchTenant,
): Promise<string> {
  const { rows } = await db.query('select name from workspaces where id = $1', [workspace_id]);
  const workflows = [{ name: 'Bench', status: 'published', trigger: 'api_call', steps }];
  const workspace = { name: rows[0].name };
  return (await callOperator(service.url, 'PUT', '/workspaces', { workspace, workflows })).workflows[0].id;
}

async function startRuns({ url }: BenchService, { key }: BenchTenant, workflow: string): Promise<void> {
  const api = createApi(url, key);
  let next = 0;
  const start = async () => {
    while (next < runs) {
      const contact = { channel_type: 'chatapp', identifier: `+${customerNumber(next++)}` };
      const { status, text } = await api.post(`/workflows/${workflow}/runs`, { contact, variables: { number: 'A-1' } });
      if (status !== 202) throw new Error(`no run was started: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, start));
}
