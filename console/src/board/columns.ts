import type { BoardCounts, InboxRow, LiveChange } from '@majlis/console-api';
import { beginReading } from '../inbox/rows.ts';
import { listenToChanges } from '../live/changes.ts';
import { conversations } from '../live/conversations.ts';
import { createFollowed, type Followed } from '../live/followed.ts';
import { request } from '../live/request.ts';

export type Whose = 'all' | 'mine';
/** In the place of a stage: those without one. */
export const noStage = 'none';

export interface ColumnPage {
  ids: readonly string[];
  hasMore: boolean;
}

/** A column of the board, as far as it was read. It follows the service. */
export interface Column extends Followed<ColumnPage> {
  stage_id: string;
  readMore(): void;
}

export interface Board {
  columnOf(stage_id: string): Column;
  counts: Followed<BoardCounts>;
}

const pageLength = 25;
// A board has many columns, and nobody reads them as they run.
const betweenReadsMs = 1_000;

const boards = new Map<string, { board: Board; workspace_id: string; columns: Map<string, Column> }>();

export function boardOf(workspace_id: string, whose: Whose): Board {
  const name = `${workspace_id} ${whose}`;
  const known = boards.get(name);
  if (known) return known.board;
  const path = `/workspaces/${workspace_id}/board`;
  const query = whose === 'mine' ? 'assignee=me' : '';
  const columns = new Map<string, Column>();
  const board: Board = {
    columnOf(stage_id) {
      const column = columns.get(stage_id) ?? createColumn(`${path}/${stage_id}?${query}`, stage_id);
      columns.set(stage_id, column);
      return column;
    },
    counts: createFollowed(() => request<BoardCounts>('GET', `${path}?${query}`), { betweenReadsMs }),
  };
  boards.set(name, { board, workspace_id, columns });
  return board;
}

/** What was read of the column may be from before a card came to it. */
export function columnChanged(workspace_id: string, stage_id: string): void {
  for (const one of boards.values()) if (one.workspace_id === workspace_id) one.columns.get(stage_id)?.invalidate();
}

function createColumn(path: string, stage_id: string): Column {
  let wanted = 1;
  let next_cursor: string | undefined;
  const followed: Followed<ColumnPage> = createFollowed(
    async (): Promise<ColumnPage> => {
      const ids = new Set<string>();
      let cursor: string | undefined;
      let isOlder = false;
      for (let page = 0; page < wanted; page++) {
        const read = await readPage(path, cursor);
        isOlder ||= read.isOlder;
        for (const id of read.ids) ids.add(id);
        cursor = read.next_cursor;
        if (cursor === undefined) break;
      }
      next_cursor = cursor;
      if (isOlder) followed.invalidate();
      return { ids: [...ids], hasMore: cursor !== undefined };
    },
    { betweenReadsMs },
  );
  return {
    ...followed,
    stage_id,
    readMore() {
      if (next_cursor === undefined) return;
      wanted++;
      followed.refetch();
    },
  };
}

/** `isOlder` where a conversation changed meanwhile. */
async function readPage(path: string, cursor: string | undefined) {
  const put = beginReading();
  const { data, next_cursor } = await request<{ data: InboxRow[]; next_cursor?: string }>(
    'GET',
    `${path}&limit=${pageLength}${cursor ? `&cursor=${cursor}` : ''}`,
  );
  const changed = put(data);
  return { ids: data.map(({ conversation }) => conversation.id), next_cursor, isOlder: changed.length > 0 };
}

// A message or a note moves a card within its column. Other changes may move it to another one.
const moves = new Set(['conversation', 'assignment', 'removed']);
const reorders = new Set(['message', 'note', 'read_mark']);

listenToChanges({
  onChange(change) {
    const { kind, workspace_id, conversation_id } = change as LiveChange;
    const isMove = moves.has(kind);
    if (!isMove && !reorders.has(kind) && kind !== 'contact') return;
    const known = conversation_id === undefined ? undefined : conversations.get(conversation_id);
    for (const { board, columns, ...one } of boards.values()) {
      if (one.workspace_id !== workspace_id) continue;
      if (isMove) board.counts.invalidate();
      for (const column of columns.values()) {
        const isOther = !isMove && known && (known.stage_id ?? noStage) !== column.stage_id;
        if (!isOther) column.invalidate();
      }
    }
  },
  onGap() {
    for (const { board, columns } of boards.values()) {
      board.counts.invalidate();
      for (const column of columns.values()) column.invalidate();
    }
  },
  onForget: () => boards.clear(),
});
