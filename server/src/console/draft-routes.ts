import { consoleOperations } from '@majlis/console-api';
import { readPage } from '../http/page.ts';
import { deleteDraft, listConversationDrafts, listDrafts, presentDraft, saveDraft } from '../inbox/drafts.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function draftRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock } = resources;

  serve(consoleOperations.listDrafts, async ({ caller, query }) => {
    const { workspace_id, user_id } = caller;
    const scope = JSON.stringify([consoleOperations.listDrafts.id, user_id]);
    const page = await readPage(
      resources,
      { workspace_id, scope, ...query, cursor: query.cursor },
      {
        fetch(position, count) {
          const after = position && { updated_at: position[0]!, version: position[1]! };
          return listDrafts(pool, caller, { after, count });
        },
        positionOf: (row) => [row.updated_at.toISOString(), row.version],
        present: presentDraft,
      },
    );
    return { status: 200, body: page };
  });

  serve(consoleOperations.listConversationDrafts, async ({ caller, params }) => ({
    status: 200,
    body: { data: await listConversationDrafts(pool, caller, params.conversation_id) },
  }));

  serve(consoleOperations.saveDraft, async ({ caller, params, body }) => ({
    status: 200,
    body: await transactionOf(caller, pool, (tx) => saveDraft(tx, clock, caller, params, body)),
  }));

  serve(consoleOperations.deleteDraft, async ({ caller, params, query }) => {
    await transactionOf(caller, pool, (tx) => deleteDraft(tx, caller, params, query.version));
    return { status: 204 };
  });
}
