import type { Broadcast } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { BroadcastRow, RecipientRow } from './read-broadcasts.ts';

/** `recipients` where the audience is a list and is to be shown; a page of broadcasts leaves them out. */
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
      // A funnel: who read was delivered, and who was delivered was sent.
      sent: sent + delivered + read,
      delivered: delivered + read,
      read,
      replied,
      // Whom the broadcast had not come to when it was cancelled it comes to no more.
      failed: failed + refused + (isCancelled ? waiting : 0),
    },
  };
}
