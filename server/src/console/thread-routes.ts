import { consoleOperations } from '@majlis/console-api';
import { readThread, readThreadMessages } from '../messages/thread/read-thread.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function threadRoutes(serve: ServeConsole, resources: Resources): void {
  serve(consoleOperations.listThread, async ({ caller, params: { conversation_id }, query }) => ({
    status: 200,
    body: await readThread(resources, caller, { ...query, conversation_id }),
  }));

  serve(consoleOperations.listThreadMessages, async ({ caller, params: { conversation_id }, query: { ids } }) => ({
    status: 200,
    body: { data: await readThreadMessages(resources.pool, caller, { conversation_id, ids }) },
  }));
}
