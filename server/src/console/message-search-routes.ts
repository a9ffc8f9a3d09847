import { consoleOperations } from '@majlis/console-api';
import { searchMessages } from '../messages/search/search-messages.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function messageSearchRoutes(serve: ServeConsole, resources: Resources): void {
  serve(consoleOperations.searchMessages, async ({ caller, query }) => ({
    status: 200,
    body: await searchMessages(resources, caller, query),
  }));
}
