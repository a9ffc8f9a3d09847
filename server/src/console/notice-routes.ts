import { consoleOperations } from '@majlis/console-api';
import { listNotices } from '../inbox/notices.ts';
import { countUnread } from '../inbox/views/count-unread.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function noticeRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.listNotices, async ({ caller, query }) => ({
    status: 200,
    body: await listNotices(pool, clock, caller, query),
  }));

  serve(consoleOperations.countUnread, async ({ caller }) => ({
    status: 200,
    body: { conversations: await countUnread(pool, caller, clock.now()) },
  }));
}
