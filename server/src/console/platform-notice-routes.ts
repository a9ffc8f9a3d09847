import { consoleOperations } from '@majlis/console-api';
import { listNotices } from '../inbound/list-notices.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function platformNoticeRoutes(serve: ServeConsole, { pool }: Pick<Resources, 'pool'>): void {
  serve(consoleOperations.listPlatformNotices, async ({ caller: { workspace_id } }) => ({
    status: 200,
    body: await listNotices(pool, workspace_id),
  }));
}
