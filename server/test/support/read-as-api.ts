import pg from 'pg';
import { type Pool, type Query, runOn } from '../../src/database/pool.ts';
import type { PlanNode } from './plans.ts';

/**
 * What `read` answers in a session such as those of the API, which plan a statement once, whatever its values; and the
 * nodes of these plans. A transaction that `read` opens is one of this session, so that its own settings hold.
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
    await client.query('set plan_cache_mode = force_generic_plan');
    const inSession = { connect: async () => session } as unknown as pg.Pool;
    return { result: await read({ ...pool, pg: inSession, query }), nodes };
  } finally {
    // With its setting and its plans.
    client.release(true);
  }
}

/** The plan of a statement that this session has prepared. */
async function readPlan(client: pg.PoolClient, { name, values }: Query<unknown>): Promise<PlanNode> {
  const literals = values.map((value) => pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)));
  const { rows } = await client.query(`explain (analyze, format json) execute "${name}" (${literals})`);
  return rows[0]['QUERY PLAN'][0].Plan;
}
