import type pg from 'pg';
import type { Pool } from '../../server/src/database/pool.ts';
import { type Query, runOn } from '../../server/src/database/run-on.ts';
import type { PlanNode } from './plans.ts';

/**
 * What `read` answers in a session such as those of the API, and the nodes of the plans of its statements. A transaction that
 * `read` opens is one of this session, so that its own settings hold.
 */
export async function readAsApi<Result>(
  pool: Pool,
  read: (pool: Pool) => Promise<Result>,
): Promise<{ result: Result; nodes: PlanNode[] }> {
  const nodes: PlanNode[] = [];
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  const client = await pool.pg.connect();

  async function query<Row>(query: Query<Row>): Promise<Row[]> {
    const answer = await runOn(client, query);
    const isSetting = /^\s*set\b/.test(query.text);
    if (!isSetting) nodes.push(...flatten(await readPlan(client, query)));
    return answer;
  }
  const session = {
    release() {},
    query: async (asked: string | Query<unknown>) =>
      typeof asked === 'string' ? client.query(asked) : { rows: await query(asked) },
  };
  try {
    const inSession = { connect: async () => session } as unknown as pg.Pool;
    return { result: await read({ ...pool, pg: inSession, query }), nodes };
  } finally {
    // With its plans.
    client.release(true);
  }
}

/** The plan of a statement that this session has prepared. */
async function readPlan(client: pg.PoolClient, { name, values }: Query<unknown>): Promise<PlanNode> {
  const { rows } = await client.query(
    `explain (analyze, format json) execute "${name}" ${await literalsOf(client, values)}`,
  );
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** The values as they stand in a statement, where each takes the type of its parameter. */
async function literalsOf(client: pg.PoolClient, values: readonly unknown[]): Promise<string> {
  if (values.length === 0) return '';
  const quoted = values.map((_, index) => `quote_nullable($${index + 1}::text)`);
  const { rows } = await client.query(`select concat_ws(', ', ${quoted}) as literals`, [...values]);
  return `(${rows[0].literals})`;
}
