import { fillHistory } from '../testing/src/fill-history.ts';
import { makeTemplates } from './broadcasts.ts';
import { createBenchEnvironment } from './environment.ts';
import { measurePath, type Pace, paths } from './fresh.ts';
import { print, ratio } from './print.ts';
import { makeWorkspaces } from './tenants.ts';

const contacts = 30_000;
const others = 8_000;
const customers = 10_000;

/**
 * What a workspace of 30,000 contacts does among 8,000 small ones, as a ratio of what it does alone. The database is analysed:
 * good statistics say that the average workspace is small.
 */
export async function measureSkewed(share: number): Promise<void> {
  const alone = await measure(0, share);
  const among = await measure(others, share);
  for (const name of Object.keys(paths)) {
    const compare = (of: keyof Pace) => ratio(among[name]![of], alone[name]![of]);
    print(`${name}: 30,000 contacts alone`, `${alone[name]!.per_second.toFixed(0)}/s`);
    print('  among 8,000 small workspaces, as a ratio of that', compare('per_second'));
    print('  processor time of PostgreSQL, as a ratio', compare('postgres_ms'));
  }
}

async function measure(workspaces: number, share: number): Promise<Record<string, Pace>> {
  const stage = await createBenchEnvironment(0);
  try {
    const [tenant] = await makeWorkspaces(stage, 1);
    await makeTemplates(stage.db);
    await stage.db.query(fillHistory({ workspaces: 1, contacts }, tenant!.workspace_id));
    if (workspaces > 0) await stage.db.query(fillHistory({ workspaces, contacts: 3 }));
    await stage.db.query('vacuum analyze');
    const service = await stage.start('api,worker');
    const paces: Record<string, Pace> = {};
    for (const [name, path] of Object.entries(paths)) {
      await measurePath(stage, service, path, tenant!, { customers: (customers * share) / 10 });
      paces[name] = await measurePath(stage, service, path, tenant!, { customers: customers * share });
    }
    return paces;
  } finally {
    await stage.close();
  }
}
