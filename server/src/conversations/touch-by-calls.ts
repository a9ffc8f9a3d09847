import { newId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Clock } from '../process/clock.ts';
import { eventsOfLines } from './events.ts';
import { lockConversations } from './touch-conversations.ts';

/** A customer called. */
export interface Call {
  workspace_id: string;
  conversation_id: string;
  at: Date;
  window_expires_at: Date;
}

const touch = statement<{ was_closed: boolean; was_asleep: boolean }>(`
  with before as materialized (
    select c.workspace_id, c.id, c.status = 'closed' as was_closed, c.snoozed_until > $3 as was_asleep
    from conversations c where c.workspace_id = $1 and c.id = $2
  ), touched as (
    update conversations c set last_message_at = greatest(c.last_message_at, $3),
      window_expires_at = greatest(c.window_expires_at, $4), status = 'open',
      reopened_at = case when c.status = 'closed' then $3 else c.reopened_at end, snoozed_until = null
    from before b where c.workspace_id = b.workspace_id and c.id = b.id and c.contact_id is not null
    returning b.*
  ), recorded as (
    insert into conversation_changes (workspace_id, conversation_id, id, kind, actor_kind, created_at)
    select workspace_id, id, $5, case when was_closed then 'reopened' else 'snoozed' end, 'contact', $3
    from touched where was_closed or was_asleep
  )
  select was_closed, was_asleep from touched`);

/** Records a call of the customer: it opens the window and the conversation, and counts as no message. */
export async function touchByCall(tx: Transaction, clock: Clock, call: Call): Promise<void> {
  const { workspace_id, conversation_id, at, window_expires_at } = call;
  await lockConversations(tx, [call]);
  const [touched] = await touch(tx, [workspace_id, conversation_id, at, window_expires_at, newId(clock)]);
  if (!touched?.was_closed) return;
  const lines = [{ workspace_id, conversation_id, kind: 'reopened' }];
  await recordEvents(tx, clock, eventsOfLines(lines, { kind: 'contact', id: null }));
}
