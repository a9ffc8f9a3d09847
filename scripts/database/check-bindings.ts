import { readFileSync } from 'node:fs';
import { acrossWorkspaces } from '../../testing/src/tenants/across-workspaces.ts';
import { exceptionOf, findBindingFault, readTenantTables } from '../../testing/src/tenants/check-bindings.ts';

/**
 * Checks that each statement which names a table of a workspace binds the workspace in each of its joins. The queries of
 * Kysely's builder are put together in a request, so a test of all operations checks them.
 */
export async function checkBindings(recorded: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
  const tables = readTenantTables(readFileSync('server/src/database/schema.sql', 'utf8'));
  const faults: string[] = [];
  const used = new Map<string, string>();
  for (const [place, texts] of recorded) {
    for (const text of texts) {
      const fault = await findBindingFault(text, tables);
      if (fault) faults.push(`${place}: ${fault}`);
      const exception = exceptionOf(text);
      if (exception && used.has(exception)) faults.push(`${place}: "${exception}" names ${used.get(exception)} too`);
      if (exception) used.set(exception, place);
    }
  }
  const unused = Object.keys(acrossWorkspaces).filter((part) => !used.has(part) && !isBuilt(part));
  return [...faults, ...unused.map((part) => `across-workspaces.ts: no statement has "${part}"`)];
}

/** Kysely quotes names. */
const isBuilt = (part: string) => part.includes('"');
