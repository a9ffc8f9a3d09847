import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import { mostRows } from '@majlis/console-api/bounds';
import { listenToChanges } from '../live/changes.ts';
import { conversations, isShownAlone, trustList } from '../live/conversations.ts';
import { createFollowed, type Followed, type FollowedState } from '../live/followed.ts';
import { type AskedPage, type ReadPage, readPage } from './read-page.ts';
import { changeRow, markRow, rows } from './rows.ts';
import type { View } from './views.ts';

export interface Listed {
  /** The ids of the conversations, latest activity first. */
  ids: readonly string[];
  hasMore: boolean;
}

/** The conversations of a view, as far as they were read. The list follows the service. */
export interface InboxList {
  get(): FollowedState<Listed>;
  subscribe(listener: () => void): () => void;
  refetch(): void;
  /** Reads another page at the end. */
  readMore(): void;
  /** Whether a page shows the list, and no change is known that it was read without. */
  isCurrent(): boolean;
  /** The conversation has changed, or unknown ones have. */
  changed(conversation_id?: string): void;
}

const none: ReadonlySet<string> = new Set();
const lists = new Map<string, InboxList & { workspace_id: string }>();

export function inboxList(workspace_id: string, view: View): InboxList {
  const name = `${workspace_id} ${view}`;
  const known = lists.get(name);
  if (known) return known;
  const list = { ...createInboxList(workspace_id, view), workspace_id };
  lists.set(name, list);
  return list;
}

/**
 * The server alone knows the order and the membership of a view. So a change reads the first page again, and the later ones only
 * where it may concern them: where a conversation that changed was known and is not on the first page any more.
 */
function createInboxList(workspace_id: string, view: View): InboxList {
  let known: ReadPage = { ids: [], next_cursor: undefined };
  let pages = 0;
  let wanted = 1;
  let changed = new Set<string>();
  let isAllChanged = true;

  async function read(): Promise<Listed> {
    const [before, wasAll] = [changed, isAllChanged];
    [changed, isAllChanged] = [new Set(), false];
    try {
      const head = await readHead(wasAll ? undefined : before);
      const inHead = new Set(head.ids);
      const tail = known.ids.filter((id) => !inHead.has(id));
      const isTailSame =
        !wasAll && pages === wanted && known.next_cursor !== undefined && !tail.some((id) => before.has(id));
      known =
        isTailSame && pages > 1 ? { ids: [...head.ids, ...tail], next_cursor: known.next_cursor } : await readOn(head);
      pages = wanted;
      dropUnlisted();
      return { ids: known.ids, hasMore: known.next_cursor !== undefined };
    } catch (error) {
      for (const id of before) changed.add(id);
      isAllChanged ||= wasAll;
      throw error;
    }
  }

  /** Reads the order, and the rows of what has changed. The others are here as the service has them. */
  async function readHead(changed: ReadonlySet<string> | undefined): Promise<ReadPage> {
    let rows_of = changed ?? none;
    // A conversation may be on the page before its change is told.
    for (let turn = 0; turn < 2 && rows_of.size > 0 && rows_of.size <= mostRows; turn++) {
      const head = await readOne({ rows_of });
      rows_of = new Set(head.ids.filter((id) => !rows.get(id) || !conversations.get(id)));
      if (rows_of.size === 0) return head;
    }
    return readOne();
  }

  /** What the person changed meanwhile is read again. */
  async function readOne(asked?: AskedPage): Promise<ReadPage> {
    const page = await readPage(workspace_id, view, asked);
    for (const id of page.changed ?? []) {
      changed.add(id);
      followed.invalidate();
    }
    return page;
  }

  async function readOn(head: ReadPage): Promise<ReadPage> {
    const ids = new Set(head.ids);
    let { next_cursor } = head;
    for (let page = 1; page < wanted && next_cursor !== undefined; page++) {
      const next = await readOne({ cursor: next_cursor });
      for (const id of next.ids) ids.add(id);
      next_cursor = next.next_cursor;
    }
    return { ids: [...ids], next_cursor };
  }

  const followed: Followed<Listed> = createFollowed(read);
  let shownBy = 0;
  return {
    get: followed.get,
    subscribe(listener) {
      // Nobody told the list of changes while no page showed it.
      if (shownBy++ === 0) [wanted, isAllChanged] = [1, true];
      const end = followed.subscribe(listener);
      return () => {
        shownBy--;
        end();
      };
    },
    isCurrent: () => shownBy > 0 && followed.isCurrent(),
    refetch: followed.refetch,
    readMore() {
      if (known.next_cursor === undefined || wanted > pages) return;
      wanted++;
      followed.refetch();
    },
    changed(conversation_id) {
      if (conversation_id === undefined) isAllChanged = true;
      else changed.add(conversation_id);
      followed.invalidate();
    },
  };
}

/** A page that is open for a day meets many conversations, of which it shows few. */
function dropUnlisted(): void {
  const listed = new Set([...lists.values()].flatMap((list) => list.get().data?.ids ?? []));
  const isNeeded = (id: string) => listed.has(id) || isShownAlone(id);
  conversations.keep(isNeeded);
  rows.keep(isNeeded);
}

trustList((id) => [...lists.values()].some((list) => list.isCurrent() && list.get().data?.ids.includes(id)));

function tellLists(workspace_id: string, conversation_id?: string): void {
  for (const list of lists.values()) if (list.workspace_id === workspace_id) list.changed(conversation_id);
}

listenToChanges({
  onChange: follow,
  onGap() {
    for (const list of lists.values()) list.changed();
  },
  onForget() {
    lists.clear();
    rows.clear();
  },
});

function follow(change: LiveChange | LiveRemoval): void {
  const { kind, workspace_id, conversation_id } = change as LiveChange;
  switch (kind as LiveChange['kind'] | 'removed') {
    case 'removed':
      rows.remove(conversation_id!);
      tellLists(workspace_id, conversation_id);
      break;
    case 'conversation':
    case 'assignment':
    case 'message':
    case 'note':
    case 'mention':
    case 'scheduled_message':
      tellLists(workspace_id, conversation_id);
      break;
    case 'status':
      // A row shows the status of a message of the business alone.
      if (rows.get(conversation_id!)?.preview?.direction === 'outbound') tellLists(workspace_id, conversation_id);
      break;
    case 'contact':
      for (const id of listedOf((change as LiveChange).contact_id)) tellLists(workspace_id, id);
      break;
    case 'saved_view':
      tellLists(workspace_id);
      break;
    default:
      followOwn(change as LiveChange);
  }
}

/** What concerns the person alone changes a row, and no order. */
function followOwn({ kind, workspace_id, conversation_id, version, ...change }: LiveChange): void {
  if (kind === 'read_mark') markRow(conversation_id!, change.unread_count, change.last_read_message_id);
  if (kind !== 'reply_draft' && kind !== 'note_draft') return;
  // Of a draft that is gone, the other one may be left.
  if (version === undefined) tellLists(workspace_id, conversation_id);
  else changeRow(conversation_id!, { has_draft: true });
}

function listedOf(contact_id: string | undefined): string[] {
  const ids = new Set([...lists.values()].flatMap((list) => list.get().data?.ids ?? []));
  return [...ids].filter((id) => conversations.get(id)?.contact_id === contact_id);
}
