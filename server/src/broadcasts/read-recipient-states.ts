import type { BroadcastRecipientState, RecipientFilter, RecipientStatus } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { cancelledReason } from '../messages/rules.ts';
import { failureCode } from '../messages/thread/failure-code.ts';
import { codeOfReason } from './list-failures.ts';

export interface RecipientStateRow {
  position: number;
  identifier: string;
  params: string[];
  status: RecipientStatus;
  error: string | null;
  contact_id: string | null;
  name: string | null;
  conversation_id: string | null;
  message_id: string | null;
  replied_at: Date | null;
}

// Who waited at the cancellation has failed, and so has who was refused. A number without a message is found among the contacts.
const selectStates = statement<RecipientStateRow>(`
  select r.position, r.identifier, r.params, s.status, s.error, c.id as contact_id, c.name, r.conversation_id, r.message_id,
    r.replied_at
  from broadcast_recipients r
  join broadcasts b on b.workspace_id = r.workspace_id and b.id = r.broadcast_id
  join channels ch on ch.workspace_id = b.workspace_id and ch.id = b.channel_id
  left join messages m on m.workspace_id = r.workspace_id and m.id = r.message_id
  cross join lateral (
    select
      case when r.status = 'refused' or b.status = 'cancelled' and r.status = 'waiting' then 'failed'
        else coalesce(m.status, r.status) end as status,
      case when b.status = 'cancelled' and r.status = 'waiting' then $5 else coalesce(m.error, r.error) end as error
  ) s
  left join contact_identities i on i.workspace_id = r.workspace_id and i.channel_type = ch.type
    and i.identifier = r.identifier
  left join contacts c on c.workspace_id = r.workspace_id and c.id = i.contact_id
  where r.workspace_id = $1 and r.broadcast_id = $2 and r.position > $3
    and ($6::text is null or s.status = $6 or $6 = 'replied' and r.replied_at is not null)
    and ($7::text is null or s.status = 'failed' and coalesce(${codeOfReason('s.error')}, s.error, '') = $7)
  order by r.position limit $4`);

export interface RecipientQuery {
  status?: RecipientFilter | undefined;
  /** As the failures name it. */
  reason?: string | undefined;
}

/** In order, after the position `after`. */
export function listRecipientStates(
  connection: Connection,
  { workspace_id, id }: { workspace_id: string; id: string },
  { status, reason }: RecipientQuery,
  { after, count }: { after: number; count: number },
): Promise<RecipientStateRow[]> {
  return selectStates(connection, [workspace_id, id, after, count, cancelledReason, status ?? null, reason ?? null]);
}

export function presentRecipientState(row: RecipientStateRow): BroadcastRecipientState {
  const { identifier, params, status, error, contact_id, name, conversation_id, message_id, replied_at } = row;
  const code = error === null ? undefined : failureCode(error);
  return {
    to: identifier,
    params,
    status,
    ...(name !== null && { name }),
    ...(contact_id && { contact_id: publicId('contact', contact_id) }),
    ...(conversation_id && { conversation_id: publicId('conversation', conversation_id) }),
    ...(message_id && { message_id: publicId('message', message_id) }),
    ...(replied_at && { replied_at: replied_at.toISOString() }),
    ...(code !== undefined && { code }),
    ...(error !== null && { error }),
  };
}
