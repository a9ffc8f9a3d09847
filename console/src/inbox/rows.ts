import type { InboxRow } from '@majlis/console-api';
import { createEntities } from '../live/entities.ts';

/** What a row of the list shows besides its conversation, whose id it has. */
export interface Row extends Omit<InboxRow, 'conversation'> {
  id: string;
}

export const rows = createEntities<Row>();

/** Changes a part of a row that a live event tells. */
export function changeRow(id: string, change: Partial<Row>): void {
  const row = rows.get(id);
  if (row) rows.put([{ ...row, ...change }]);
}

/** Where the person has read up to, and how much is left. Without an id, they have marked all of it as unread. */
export function markRow(id: string, unread_count = 0, last_read_message_id?: string): void {
  const row = rows.get(id);
  if (!row) return;
  const { last_read_message_id: _, ...rest } = row;
  rows.put([{ ...rest, own_unread_count: unread_count, ...(last_read_message_id && { last_read_message_id }) }]);
}
