import { operations } from '@majlis/contract';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { analyseConversations } from './analyse-conversations.ts';
import { analyseMessages } from './analyse-messages.ts';
import { readOverview } from './read-overview.ts';

export function analyticsRoutes(serve: Serve, { pool, config }: Resources): void {
  serve.read(operations.getAnalyticsOverview, ({ caller }) => readOverview(pool, caller));
  serve.report(operations.getConversationAnalytics, async ({ caller, query }) => ({
    data: await analyseConversations(pool, caller, query, config.analyticsPeriodsMax),
  }));
  serve.report(operations.getMessageAnalytics, ({ caller, query }) => analyseMessages(pool, caller, query));
}
