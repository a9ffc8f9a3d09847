import { operations } from '@majlis/contract';
import { takeTurns } from '../database/take-turns.ts';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../resources.ts';
import { analyseConversations } from './analyse-conversations.ts';
import { analyseMessages } from './analyse-messages.ts';
import { readOverview } from './read-overview.ts';

export function analyticsRoutes(serve: Serve, { pool, config }: Resources): void {
  const turn = takeTurns(2);

  serve.read(operations.getAnalyticsOverview, ({ caller }) => readOverview(pool, caller.workspace_id));
  serve.read(operations.getConversationAnalytics, ({ caller: { workspace_id }, query }) =>
    turn(workspace_id, async () => ({
      data: await analyseConversations(pool, workspace_id, query, config.analyticsPeriodsMax),
    })),
  );
  serve.read(operations.getMessageAnalytics, ({ caller: { workspace_id }, query }) =>
    turn(workspace_id, () => analyseMessages(pool, workspace_id, query)),
  );
}
