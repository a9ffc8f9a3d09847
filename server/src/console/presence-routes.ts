import { consoleOperations } from '@majlis/console-api';
import { endPresence, listPresences, setPresence } from '../inbox/presences.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function presenceRoutes(serve: ServeConsole, { pool, clock }: Resources): void {
  serve(consoleOperations.listPresences, async ({ caller }) => ({
    status: 200,
    body: { data: await listPresences(pool, clock, caller) },
  }));

  serve(consoleOperations.listConversationPresences, async ({ caller, params }) => ({
    status: 200,
    body: { data: await listPresences(pool, clock, caller, params.conversation_id) },
  }));

  serve(consoleOperations.setPresence, async ({ caller, params, body }) => ({
    status: 200,
    body: await transactionOf(caller, pool, (tx) => setPresence(tx, clock, caller, params.conversation_id, body)),
  }));

  serve(consoleOperations.endPresence, async ({ caller, params }) => {
    await transactionOf(caller, pool, (tx) => endPresence(tx, caller, params.conversation_id));
    return { status: 204 };
  });
}
