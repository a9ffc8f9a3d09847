import { consoleOperations, type InboxRow, mostRows } from '@majlis/console-api';
import { parseId, publicId } from '../database/ids.ts';
import { readPage } from '../http/page.ts';
import { invalid } from '../http/reply/refusal.ts';
import { countViews } from '../inbox/views/count-views.ts';
import { readView } from '../inbox/views/inbox-view.ts';
import { listPart } from '../inbox/views/list-inbox.ts';
import { presentRows } from '../inbox/views/present-rows.ts';
import type { Resources } from '../process/resources.ts';
import { countWaitingProposals } from '../proposals/read-proposals.ts';
import type { ServeConsole } from './serve-console.ts';

export function inboxRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock } = resources;

  serve(consoleOperations.listInbox, async ({ caller, query }) => {
    const { cursor, limit, rows_of, ...shown_by } = query;
    const { workspace_id, user_id } = caller;
    const named = readView(shown_by);
    const wanted = rows_of === undefined ? undefined : readConversations(rows_of);
    const scope = JSON.stringify([consoleOperations.listInbox.id, user_id, named]);
    let shown = new Map<string, InboxRow>();
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        async fetch(position, count) {
          const after = position && ([position[0]!, position[1]!] as [string, string]);
          const part = { now: clock.now(), after, count };
          const { placed, rows } = await listPart(pool, named, caller, part, wanted);
          shown = await presentRows(pool, caller, rows);
          return placed;
        },
        positionOf: ({ place }) => place,
        present: ({ id }) => ({ id: publicId('conversation', id), row: shown.get(id) }),
      },
    );
    const data = page.data.flatMap(({ row }) => row ?? []);
    const ids = page.data.map(({ id }) => id);
    return { status: 200, body: { ...page, data, ...(rows_of !== undefined && { ids }) } };
  });

  serve(consoleOperations.countViews, async ({ caller }) => {
    const [counts, proposals] = await Promise.all([
      countViews(pool, caller, clock.now()),
      countWaitingProposals(pool, caller),
    ]);
    return { status: 200, body: { ...counts, proposals } };
  });
}

/** What names no conversation is left out, as one of another page. */
function readConversations(text: string): Set<string> {
  const ids = new Set(text.split(','));
  if (ids.size > mostRows) throw invalid({ detail: `must not have more than ${mostRows} ids`, pointer: '/rows_of' });
  return new Set([...ids].flatMap((id) => parseId('conversation', id) ?? []));
}
