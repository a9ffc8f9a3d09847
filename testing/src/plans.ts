export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
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
