import { consoleOperations, type InboxRow } from '@majlis/console-api';
import { readPage } from '../http/page.ts';
import { countBoard, listColumn, readWhose } from '../inbox/views/board.ts';
import { presentRows } from '../inbox/views/present-rows.ts';
import type { Resources } from '../process/resources.ts';
import type { ServeConsole } from './serve-console.ts';

export function boardRoutes(serve: ServeConsole, resources: Resources): void {
  const { pool, clock } = resources;

  serve(consoleOperations.countBoard, async ({ caller, query: { assignee } }) => ({
    status: 200,
    body: { stages: await countBoard(pool, readWhose(assignee), caller, clock.now()) },
  }));

  serve(consoleOperations.listBoardColumn, async ({ caller, params: { stage_id }, query }) => {
    const { cursor, limit, assignee } = query;
    const { workspace_id, user_id } = caller;
    const whose = readWhose(assignee);
    const scope = JSON.stringify([consoleOperations.listBoardColumn.id, user_id, stage_id, whose]);
    let shown = new Map<string, InboxRow>();
    const page = await readPage(
      resources,
      { workspace_id, scope, cursor, limit },
      {
        async fetch(position, count) {
          const after = position && ([position[0]!, position[1]!] as [string, string]);
          const page = { now: clock.now(), after, count };
          const rows = await listColumn(pool, stage_id, whose, { viewer: caller, page });
          shown = await presentRows(pool, caller, rows);
          return rows;
        },
        positionOf: ({ place }) => place,
        present: ({ id }) => shown.get(id)!,
      },
    );
    return { status: 200, body: page };
  });
}
