import type { LiveChange, LiveRemoval, LiveRow } from '@majlis/console-api';
import { mostRows } from '@majlis/console-api/bounds';
import { listenToChanges } from '../live/changes.ts';
import { conversations, isShownAlone, trustList } from '../live/conversations.ts';
import { createFollowed, type Followed, type FollowedState } from '../live/followed.ts';
import { userIn } from '../live/session.ts';
import { belongsTo, type Place, placeIn } from './place-row.ts';
import { type AskedPage, pageLength, type ReadPage, readPage } from './read-page.ts';
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
  /** Whether a page shows the conversation in the list. */
  shows(conversation_id: string): boolean;
  /** The row of a conversation is known as it is now. False where only a reading can say what that changes. */
  told(row: LiveRow): boolean;
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
 * A told row finds its place by itself where the view has a simple rule. Of other changes and views the server alone knows the order
 * and the membership. They read the first page again, and the later ones only where they may concern them: where a conversation that
 * changed was known and is not on the first page any more.
 */
function createInboxList(workspace_id: string, view: View): InboxList {
  let known: ReadPage = { ids: [], next_cursor: undefined };
  /** The place up to which the list was read. Undefined: to its end. */
  let bottom: Place | undefined;
  /** What was told while a reading was under way, which may not have it. */
  let toldMeanwhile: Map<string, boolean> | undefined;
  let pages = 0;
  let wanted = 1;
  let changed = new Set<string>();
  let isAllChanged = true;

  async function read(): Promise<Listed> {
    const [before, wasAll] = [changed, isAllChanged];
    [changed, isAllChanged] = [new Set(), false];
    const meanwhile = new Map<string, boolean>();
    toldMeanwhile = meanwhile;
    try {
      const head = await readHead(wasAll ? undefined : before);
      const inHead = new Set(head.ids);
      const tail = known.ids.filter((id) => !inHead.has(id));
      const isTailSame =
        !wasAll && pages === wanted && hasMore(known) && hasMore(head) && !tail.some((id) => before.has(id));
      if (isTailSame && !isTooLong(known.ids)) known = { ids: [...head.ids, ...tail], next_cursor: known.next_cursor };
      else {
        known = await readOn(head);
        bottom = hasMore(known) ? placeOf(known.ids.at(-1)!) : undefined;
      }
      pages = wanted;
      for (const [id, belongs] of meanwhile) if (!place(id, belongs)) markChanged(id);
      dropUnlisted();
      return listed();
    } catch (error) {
      for (const id of before) changed.add(id);
      isAllChanged ||= wasAll;
      throw error;
    } finally {
      toldMeanwhile = undefined;
    }
  }

  const listed = (): Listed => ({ ids: known.ids, hasMore: hasMore(known) });
  /** What is told only adds rows. */
  const isTooLong = (ids: readonly string[]) => ids.length > (wanted + 3) * pageLength;

  /** False where the places of others are not known. */
  function place(id: string, belongs: boolean): boolean {
    const ids = placeIn(known.ids, { id, at: belongs ? placeOf(id) : undefined, bottom }, placeOf);
    if (ids) known = { ...known, ids };
    return ids !== undefined;
  }

  function told(row: LiveRow): boolean {
    const { conversation_id: id } = row;
    const belongs = belongsTo(view, row, userIn(workspace_id));
    if (belongs === undefined) return false;
    if (shownBy === 0) return true;
    toldMeanwhile?.set(id, belongs);
    if (!followed.get().data) return true;
    if (!place(id, belongs)) return false;
    followed.put(listed());
    return !(hasMore(known) && isTooLong(known.ids));
  }

  /** Reads the order, and the rows of what has changed. The others are here as the service has them. */
  async function readHead(changed: ReadonlySet<string> | undefined): Promise<ReadPage> {
    let rows_of = changed ?? none;
    // A conversation may be on the page before its change is told.
    for (let turn = 0; turn < 2 && rows_of.size > 0 && rows_of.size <= mostRows; turn++) {
      const head = await readOne({ rows_of });
      rows_of = new Set(head.ids.filter((id) => !rows.get(id) || !conversations.get(id) || behind.has(id)));
      if (rows_of.size === 0) return head;
    }
    return readOne();
  }

  function markChanged(id: string): void {
    changed.add(id);
    followed.invalidate();
  }

  /** What the person changed meanwhile is read again. */
  async function readOne(asked?: AskedPage): Promise<ReadPage> {
    const page = await readPage(workspace_id, view, asked);
    for (const id of asked?.rows_of ?? page.ids) behind.delete(id);
    for (const id of page.changed ?? []) markChanged(id);
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
      if (conversation_id !== undefined) return markChanged(conversation_id);
      isAllChanged = true;
      followed.invalidate();
    },
    shows: (id) => shownBy > 0 && known.ids.includes(id),
    told,
  };
}

const hasMore = ({ next_cursor }: ReadPage) => next_cursor !== undefined;

function placeOf(id: string): Place | undefined {
  const row = rows.get(id);
  return row && [row.listed_at, id];
}

/** A page that is open for a day meets many conversations, of which it shows few. */
function dropUnlisted(): void {
  const listed = new Set([...lists.values()].flatMap((list) => list.get().data?.ids ?? []));
  const isNeeded = (id: string) => listed.has(id) || isShownAlone(id);
  conversations.keep(isNeeded);
  rows.keep(isNeeded);
  // Whoever meets one without its row reads it in any case.
  for (const id of behind) if (!rows.get(id)) behind.delete(id);
}

trustList((id) => [...lists.values()].some((list) => list.isCurrent() && list.get().data?.ids.includes(id)));

function tellLists(workspace_id: string, conversation_id?: string): void {
  for (const list of lists.values()) if (list.workspace_id === workspace_id) list.changed(conversation_id);
  if (conversation_id !== undefined) leaveBehind(conversation_id);
}

/** Rows that changed while no list showed them: the list that meets one reads it. */
const behind = new Set<string>();

function leaveBehind(id: string): void {
  if (rows.get(id) && !isShown(id)) behind.add(id);
}

const isShown = (id: string) => [...lists.values()].some((list) => list.shows(id));

listenToChanges({
  onChange: follow,
  onRow: followRow,
  onGap() {
    for (const list of lists.values()) list.changed();
  },
  onForget() {
    lists.clear();
    rows.clear();
    behind.clear();
  },
});

function followRow(told: LiveRow, since: number): void {
  const { workspace_id, conversation_id: id } = told;
  const { conversation: _, ...row } = told.row;
  const isPut = rows.putTold({ id, ...row }, since);
  if (isPut) behind.delete(id);
  else tellLists(workspace_id, id);
  for (const list of lists.values()) {
    if (isPut && list.workspace_id === workspace_id && !list.told(told)) list.changed(id);
  }
}

function follow(change: LiveChange | LiveRemoval): void {
  const { kind, workspace_id, conversation_id, in_row } = change as LiveChange;
  if (in_row) return;
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
      for (const { id, contact_id } of conversations.all()) {
        if (contact_id !== (change as LiveChange).contact_id) continue;
        if (isShown(id)) tellLists(workspace_id, id);
        else leaveBehind(id);
      }
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
