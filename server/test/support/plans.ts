import type { Connection, Pool, Query } from '../../src/database/pool.ts';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** What `read` answers, and the nodes of every plan by which it was read; the statements are the product's own. */
export async function readWithPlans<Result>(
  pool: Pool,
  read: (connection: Connection) => Promise<Result>,
): Promise<{ result: Result; nodes: PlanNode[] }> {
  const nodes: PlanNode[] = [];
  const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
  const result = await read({
    async query<Row>(query: Query<Row>) {
      const text = `explain (analyze, format json) ${query.text}`;
      const [row] = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ text, values: query.values });
      nodes.push(...flatten(row!['QUERY PLAN'][0].Plan));
      return pool.query(query);
    },
  });
  return { result, nodes };
}

/** The tables that were read from one end to the other. */
export function scansOf(nodes: readonly PlanNode[]): PlanNode[] {
  return nodes.filter((node) => node['Node Type'] === 'Seq Scan');
}

/** How many rows of a table were looked at, used or not. */
export function rowsOf(nodes: readonly PlanNode[], table: string): number {
  const read = nodes.filter((node) => node['Relation Name'] === table);
  return read.reduce((sum, node) => {
    return sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  }, 0);
}
