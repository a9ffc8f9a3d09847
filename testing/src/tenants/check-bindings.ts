import { acrossWorkspaces } from './across-workspaces.ts';
import { findBindings, type TenantTables } from './find-bindings.ts';

/** What is wrong with a statement's joins, in words; undefined for a sound one and for one that may see all workspaces. */
export async function findBindingFault(text: string, tables: TenantTables): Promise<string | undefined> {
  if (exceptionOf(text)) return undefined;
  const { isSweep, unbound, unjoined, looseConflicts } = await findBindings(text, tables);
  const faults = [
    ...unbound.map((table) => `${table} may be of another workspace`),
    ...unjoined.map((names) => `${names} are joined without the workspace`),
    ...looseConflicts.map((key) => `the conflict on ${key} may be with another workspace`),
    ...(isSweep ? ['nothing binds the workspace'] : []),
  ];
  return faults.length > 0 ? faults.join('; ') : undefined;
}

/** The part of this statement that `acrossWorkspaces` lists. */
export function exceptionOf(text: string): string | undefined {
  const line = text.replaceAll(/\s+/g, ' ');
  return Object.keys(acrossWorkspaces).find((part) => line.includes(part));
}

/** The tables that schema.sql shows: in a table `workspaces`, the id is the workspace's. */
export function readTenantTables(schema: string): TenantTables {
  const columns = new Map<string, string[]>();
  for (const [, table, body] of schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)/gm)) {
    const named = body!.split('\n').flatMap((line) => /^ {2}"?([a-z_]+)"? /.exec(line)?.slice(1) ?? []);
    columns.set(table!, named);
  }
  const tenants = [...columns].filter(([, names]) => names.includes('workspace_id'));
  const workspaceColumn = new Map(tenants.map(([table]) => [table, 'workspace_id']));
  return { columns, workspaceColumn: workspaceColumn.set('workspaces', 'id') };
}
