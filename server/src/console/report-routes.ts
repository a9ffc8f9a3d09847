import { consoleOperations } from '@majlis/console-api';
import { analyseFailures } from '../analytics/analyse-failures.ts';
import { limitPerKey } from '../concurrency/limit-per-key.ts';
import type { Resources } from '../process/resources.ts';
import { readFees } from '../workspaces/read-fees.ts';
import type { ServeConsole } from './serve-console.ts';

/** The reports that the contract does not have. */
export function reportRoutes(serve: ServeConsole, { pool, config }: Resources): void {
  // As the contract's reports: several of a large workspace would hold the connections of the pool (hazard H67).
  const limit = limitPerKey({ per_key: 1, in_all: 2 });

  serve(consoleOperations.getFailureAnalytics, async ({ caller, query }) => {
    const data = await limit(caller.workspace_id, () => analyseFailures(pool, caller, query));
    return { status: 200, body: { data } };
  });

  serve(consoleOperations.getFees, async ({ caller: { workspace_id }, query }) => ({
    status: 200,
    body: await limit(workspace_id, () => readFees(pool, workspace_id, query, config.analyticsPeriodsMax)),
  }));
}
