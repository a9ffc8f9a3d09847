import { consoleOperations, mayAct } from '@majlis/console-api';
import { readTimeline } from '../messages/timeline/read-timeline.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function messageTimelineRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.readMessageTimeline, async ({ caller, params: { message_id } }) => ({
    status: 200,
    body: {
      data: await readTimeline(pool, clock, caller, { message_id, sees_endpoints: mayAct(caller.role, 'admin') }),
    },
  }));
}
