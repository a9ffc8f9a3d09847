import type { InboxRow } from '@majlis/console-api';
import { conversations } from '../live/conversations.ts';
import { createEntities } from '../live/entities.ts';

/** What a row of the list shows besides its conversation, whose id it has. */
export interface Row extends Omit<InboxRow, 'conversation'> {
  id: string;
}

export const rows = createEntities<Row>();

/**
 * Begins a reading of rows. What it brings goes into the function, which answers the ids of those that changed meanwhile: they must
 * be read again.
 */
export function beginReading(): (read: readonly InboxRow[]) => string[] {
  const since = [conversations.moment(), rows.moment()] as const;
  return (read) => {
    const changed = [
      ...conversations.putRead(
        read.map(({ conversation }) => conversation),
        since[0],
      ),
      ...rows.putRead(
        read.map(({ conversation: { id }, ...row }) => ({ id, ...row })),
        since[1],
      ),
    ];
    return [...new Set(changed)];
  };
}

/** Changes a part of a row that a live event tells. */
export function changeRow(id: string, change: Partial<Row>): void {
  const row = rows.get(id);
  if (row) rows.putChanged({ ...row, ...change });
  else rows.markChanged(id);
}

/** Where the person has read up to, and how much is left. Without an id, they have marked all of it as unread. */
export function markRow(id: string, unread_count = 0, last_read_message_id?: string): void {
  const row = rows.get(id);
  if (!row) {
    rows.markChanged(id);
    return;
  }
  const { last_read_message_id: _, ...rest } = row;
  rows.putChanged({ ...rest, own_unread_count: unread_count, ...(last_read_message_id && { last_read_message_id }) });
}
