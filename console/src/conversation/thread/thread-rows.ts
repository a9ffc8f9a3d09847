import type { ScheduledMessage, ThreadChange, ThreadItem, ThreadMessage } from '@majlis/console-api';
import type { PendingMessage } from '../../composer/outbox.ts';
import { placeOf } from '../../live/thread-window.ts';

/** One line of the thread. */
export type ThreadRow =
  | { type: 'day'; id: string; at: string }
  | { type: 'unread'; id: string }
  | { type: 'message'; id: string; message: ThreadMessage; reactions: readonly ThreadMessage[]; isFirst: boolean }
  | { type: 'reaction'; id: string; message: ThreadMessage }
  | { type: 'change'; id: string; change: ThreadChange }
  | { type: 'pending'; id: string; pending: PendingMessage }
  | { type: 'scheduled'; id: string; message: ScheduledMessage };

/** Messages of one sender within this time stand together under one name. */
const groupMs = 5 * 60_000;

interface Options {
  items: readonly ThreadItem[];
  has_earlier: boolean;
  pending: readonly PendingMessage[];
  /** What is not sent yet stands behind everything else. */
  scheduled: readonly ScheduledMessage[];
  /** What the person had read when they opened the conversation. Undefined: everything. Empty: nothing. */
  readUpTo: string | undefined;
}

/** The lines of the thread from the items of the service, those on their way, and what the person had read. */
export function threadRows({ items, has_earlier, pending, scheduled, readUpTo }: Options): ThreadRow[] {
  const rows: ThreadRow[] = [];
  const known = new Set(items.map(({ id }) => id));
  const reactions = reactionsByMessage(items);
  let day = '';
  // The first unread message may be further back than what is loaded.
  const isUnreadKnown = readUpTo !== undefined && !(has_earlier && placeOf(items[0]?.id ?? '') > placeOf(readUpTo));
  let isUnreadShown = !isUnreadKnown;
  let before: ThreadMessage | undefined;
  for (const item of items) {
    const attached = item.type === 'message' && item.kind === 'reaction' && known.has(item.reaction?.message_id ?? '');
    if (attached || isTakenBack(item)) continue;
    const itemDay = dayOf(item);
    if (itemDay !== day) {
      day = itemDay;
      before = undefined;
      rows.push({ type: 'day', id: `day ${itemDay}`, at: item.created_at });
    }
    if (!isUnreadShown && isInbound(item) && placeOf(item.id) > placeOf(readUpTo!)) {
      isUnreadShown = true;
      before = undefined;
      rows.push({ type: 'unread', id: 'unread' });
    }
    if (item.type === 'change') {
      rows.push({ type: 'change', id: item.id, change: item });
      before = undefined;
    } else if (item.kind === 'reaction') {
      rows.push({ type: 'reaction', id: item.id, message: item });
      before = undefined;
    } else {
      const isFirst = !before || !isOneGroup(before, item);
      rows.push({ type: 'message', id: item.id, message: item, reactions: reactions.get(item.id) ?? none, isFirst });
      before = item;
    }
  }
  for (const one of pending) {
    if (!one.message_id || !known.has(one.message_id)) rows.push({ type: 'pending', id: one.key, pending: one });
  }
  for (const message of scheduled) rows.push({ type: 'scheduled', id: message.id, message });
  return rows;
}

const none: readonly ThreadMessage[] = [];

// Of a hundred items, the days took longer than everything else here.
const days = new WeakMap<ThreadItem, string>();

function dayOf(item: ThreadItem): string {
  const day = days.get(item) ?? new Date(item.created_at).toDateString();
  days.set(item, day);
  return day;
}

export function isInbound(item: ThreadItem): boolean {
  return item.type === 'message' && item.direction === 'inbound';
}

function isTakenBack(item: ThreadItem): boolean {
  return item.type === 'message' && item.kind === 'reaction' && !item.reaction?.emoji;
}

function isOneGroup(a: ThreadMessage, b: ThreadMessage): boolean {
  return (
    a.direction === b.direction &&
    a.actor_id === b.actor_id &&
    a.actor_kind === b.actor_kind &&
    (a.kind === 'note') === (b.kind === 'note') &&
    Date.parse(b.created_at) - Date.parse(a.created_at) < groupMs
  );
}

/** The last reaction of each person to each message. One that was taken back is none. */
function reactionsByMessage(items: readonly ThreadItem[]): Map<string, ThreadMessage[]> {
  const latest = new Map<string, Map<string, ThreadMessage>>();
  for (const item of items) {
    if (item.type !== 'message' || !item.reaction?.message_id || item.status === 'failed') continue;
    const ofMessage = latest.get(item.reaction.message_id) ?? new Map<string, ThreadMessage>();
    // The platform shows the customer one reaction of the business, whoever sent it.
    ofMessage.set(item.direction, item);
    latest.set(item.reaction.message_id, ofMessage);
  }
  return new Map(
    [...latest].map(([id, ofMessage]) => [id, [...ofMessage.values()].filter(({ reaction }) => reaction?.emoji)]),
  );
}
