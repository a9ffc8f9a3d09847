export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  /** Pages from the cache and from disk, with those of the nodes below. */
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** The sequential scans. */
export function scansOf(nodes: readonly PlanNode[]): PlanNode[] {
  return nodes.filter((node) => node['Node Type'] === 'Seq Scan');
}

/** The number of rows read from a table, with those that a filter removed. */
export function rowsOf(nodes: readonly PlanNode[], table: string): number {
  const read = nodes.filter((node) => node['Relation Name'] === table);
  return read.reduce((sum, node) => {
    return sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  }, 0);
}

/** The pages of each scan of a table or an index, and its loops. */
export function pagesByScan(nodes: readonly PlanNode[]): { scan: string; pages: number; times: number }[] {
  return nodes
    .filter((node) => node['Node Type'].includes('Scan') && (node['Relation Name'] ?? node['Index Name']))
    .map((node) => ({
      scan: `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`,
      pages: (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
      times: node['Actual Loops'],
    }));
}
