import type pg from 'pg';
import { Client } from '../../server/src/database/client.ts';
import type { TestDatabase } from './database.ts';
import type { PlanNode } from './plans.ts';

/** A statement as the service ran it: the statements of triggers and of foreign keys are recorded apart. */
export interface RecordedPlan {
  text: string;
  plan: PlanNode;
  /** Pages that it read, from the cache or not. */
  buffers: number;
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
 * Records the plans by which the service really runs its statements in this database, generic ones included, from each
 * session that it opens from now on. Each call of `take` answers those since the last one.
 */
export async function recordPlans(admin: pg.ClientBase, database: TestDatabase): Promise<() => RecordedPlan[]> {
  const name = database.connection.database!;
  for (const [setting, value] of Object.entries(settings)) {
    await admin.query(`alter database ${name} set ${setting} = '${value}'`);
  }
  let recorded: RecordedPlan[] = [];
  const { emit } = Client.prototype;
  Client.prototype.emit = function (this: Client, event: string, ...values: unknown[]) {
    const message = event === 'notice' ? (values[0] as Error).message : '';
    if (message.startsWith('duration: ') && this.database === name) recorded.push(parse(message));
    return emit.call(this, event, ...values);
  } as typeof emit;
  return () => recorded.splice(0);
}

function parse(message: string): RecordedPlan {
  const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(message.indexOf('{')));
  return { text, plan, buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
}
