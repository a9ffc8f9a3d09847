import type pg from 'pg';
import { CorkedClient } from '../../server/src/database/corked-client.ts';
import type { PlanNode } from './plans.ts';
import type { TestDatabase } from './test-database.ts';

/** A statement and the nodes of its plan. Those of triggers and of foreign keys are statements of their own. */
export interface RecordedPlan {
  text: string;
  nodes: PlanNode[];
}

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_format': 'json',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
};

/**
 * Records the executed plans of each session that the service opens from now on in this database, generic or custom
 * plans. `admin` is a superuser. Each call of the returned function takes the plans since the last call.
 */
export async function recordPlans(admin: pg.ClientBase, { connection }: TestDatabase): Promise<() => RecordedPlan[]> {
  const database = connection.database!;
  for (const [setting, value] of Object.entries(settings)) {
    await admin.query(`alter database ${database} set ${setting} = '${value}'`);
  }
  const recorded: RecordedPlan[] = [];
  const { emit } = CorkedClient.prototype;
  CorkedClient.prototype.emit = function (this: CorkedClient, event: string, ...values: unknown[]) {
    const message = event === 'notice' && this.database === database ? (values[0] as Error).message : '';
    if (message.startsWith('duration: ')) recorded.push(parse(message));
    return emit.call(this, event, ...values);
  } as typeof emit;
  return () => recorded.splice(0);
}

function parse(message: string): RecordedPlan {
  const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(message.indexOf('{')));
  return { text, nodes: nodesOf(plan) };
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
