export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  /** Pages from the cache, and others; with those of the nodes below it. */
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
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

/** How many pages each reading of a table or an index took, on average. */
export function pagesByScan(nodes: readonly PlanNode[]): { scan: string; pages: number; times: number }[] {
  return nodes
    .filter((node) => node['Node Type'].includes('Scan') && (node['Relation Name'] ?? node['Index Name']))
    .map((node) => ({
      scan: `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`,
      pages: (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
      times: node['Actual Loops'],
    }));
}
