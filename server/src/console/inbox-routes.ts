import { consoleOperations, type InboxRow } from '@majlis/console-api';
import { readPage } from '../http/page.ts';
import { countViews } from '../inbox/views/count-views.ts';
import { readView } from '../inbox/views/inbox-view.ts';
import { listView, presentRows } from '../inbox/views/list-inbox.ts';
import type { Resources } from '../process/resources.ts';
import { countWaitingProposals } from '../proposals/read-proposals.ts';
import type { ServeConsole } from './serve-console.ts';

export function inboxRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock } = resources;

  serve(consoleOperations.listInbox, async ({ caller, query }) => {
    const { cursor, limit, ...shown_by } = query;
    const { workspace_id, user_id } = caller;
    const named = readView(shown_by);
    const scope = JSON.stringify([consoleOperations.listInbox.id, user_id, named]);
    let shown = new Map<string, InboxRow>();
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        async fetch(position, count) {
          const after = position && ([position[0]!, position[1]!] as [string, string]);
          const rows = await listView(pool, named, caller, { now: clock.now(), after, count });
          shown = await presentRows(pool, caller, rows);
          return rows;
        },
        positionOf: ({ place }) => place,
        present: ({ id }) => shown.get(id)!,
      },
    );
    return { status: 200, body: page };
  });

  serve(consoleOperations.countViews, async ({ caller }) => {
    const [counts, proposals] = await Promise.all([
      countViews(pool, caller, clock.now()),
      countWaitingProposals(pool, caller),
    ]);
    return { status: 200, body: { ...counts, proposals } };
  });
}
