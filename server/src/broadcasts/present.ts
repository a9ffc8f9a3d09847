import type { Broadcast } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { BroadcastRow, RecipientRow } from './read-broadcasts.ts';

/** `recipients`: for an audience given as a list; a page of broadcasts omits them. */
export function presentBroadcast(row: BroadcastRow, recipients?: readonly RecipientRow[]): Broadcast {
  const { total, waiting, refused, queued, sent, delivered, read, replied, failed } = row;
  const isCancelled = row.status === 'cancelled';
  return {
    id: publicId('broadcast', row.id),
    name: row.name,
    channel_id: publicId('channel', row.channel_id),
    template: { name: row.template_name, language: row.template_language },
    audience: {
      ...(row.tags && { tags: row.tags }),
      ...(row.stage_id && { stage_id: publicId('stage', row.stage_id) }),
      ...(recipients && { recipients: recipients.map(({ identifier, params }) => ({ to: identifier, params })) }),
    },
    send_at: row.send_at.toISOString(),
    status: row.status,
    counts: {
      total,
      queued: queued + (isCancelled ? 0 : waiting),
      // A funnel: a read message counts as delivered, and a delivered one as sent.
      sent: sent + delivered + read,
      delivered: delivered + read,
      read,
      replied,
      // Recipients still waiting at the cancellation failed.
      failed: failed + refused + (isCancelled ? waiting : 0),
    },
  };
}
