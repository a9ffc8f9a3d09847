import type { ReadMark } from '@majlis/console-api';
import { isVisibleTo } from '../conversations/is-visible-to.ts';
import { resetUnread } from '../conversations/queries.ts';
import { requireConversation, type Viewer } from '../conversations/require-conversation.ts';
import { parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { invalid, Refusal, unknownReference } from '../http/reply/refusal.ts';
import { publishLive } from '../live/publish-live.ts';
import type { Clock } from '../process/clock.ts';
import { readOwnParts } from './own-parts.ts';

/** The marks of the person in these conversations. Conversations that they may not see are left out. */
export async function listReadMarks(
  connection: Connection,
  { workspace_id, user_id, own_teams_only }: Viewer,
  conversation_ids: readonly string[],
): Promise<ReadMark[]> {
  const seen = own_teams_only ? [isVisibleTo(user_id)] : [];
  const parts = await readOwnParts(connection, { workspace_id, user_ids: [user_id], conversation_ids }, seen);
  return parts.map(({ conversation_id, last_read_message_id, unread_count }) => ({
    conversation_id: publicId('conversation', conversation_id),
    ...(last_read_message_id && { last_read_message_id: publicId('message', last_read_message_id) }),
    unread_count,
  }));
}

// A mark of another tab may be later: the later one stays.
const advance = statement(`
  insert into read_marks as r (workspace_id, user_id, conversation_id, last_read_message_id, updated_at)
  values ($1, $2, $3, $4, $5)
  on conflict (workspace_id, user_id, conversation_id) do update
    set last_read_message_id = excluded.last_read_message_id, updated_at = excluded.updated_at
    where r.last_read_message_id is null or r.last_read_message_id < excluded.last_read_message_id`);

/** Marks the conversation as read up to the message. Once nothing is left, the team has seen it too. */
export async function setReadMark(
  tx: Transaction,
  clock: Clock,
  viewer: Viewer,
  { conversation_id, message_id }: { conversation_id: string; message_id: string },
): Promise<ReadMark> {
  const { workspace_id, user_id } = viewer;
  const id = await requireConversation(tx, viewer, conversation_id);
  const read = await requireMessage(tx, workspace_id, id, message_id, '/last_read_message_id');
  const isReset = await resetUnread(tx, { workspace_id, id, read_message_id: read });
  if (isReset) {
    const details = { unread_count: 0 };
    await publishLive(tx, [{ workspace_id, kind: 'conversation', conversation_id: id, details }]);
  }
  await advance(tx, [workspace_id, user_id, id, read, clock.now()]);
  return publish(tx, viewer, id);
}

const selectLastOfCustomer = statement<{ last_customer_message_id: string | null }>(`
  select last_customer_message_id from conversations where workspace_id = $1 and id = $2`);

const moveBack = statement(`
  insert into read_marks (workspace_id, user_id, conversation_id, last_read_message_id, updated_at)
  values ($1, $2, $3,
    (select id from messages where workspace_id = $1 and conversation_id = $3 and id < $4 order by id desc limit 1), $5)
  on conflict (workspace_id, user_id, conversation_id) do update
    set last_read_message_id = excluded.last_read_message_id, updated_at = excluded.updated_at`);

/** Marks the conversation as unread from the message on, or from the last one of the customer. */
export async function markUnread(
  tx: Transaction,
  clock: Clock,
  viewer: Viewer,
  { conversation_id, message_id }: { conversation_id: string; message_id: string | undefined },
): Promise<ReadMark> {
  const { workspace_id, user_id } = viewer;
  const id = await requireConversation(tx, viewer, conversation_id);
  const [conversation] = await selectLastOfCustomer(tx, [workspace_id, id]);
  const first =
    message_id === undefined
      ? conversation?.last_customer_message_id
      : await requireMessage(tx, workspace_id, id, message_id, '/first_unread_message_id');
  // Where the customer never wrote, nothing can be unread.
  if (first) await moveBack(tx, [workspace_id, user_id, id, first, clock.now()]);
  return publish(tx, viewer, id);
}

const selectMessage = statement<{ id: string }>(`
  select id from messages where workspace_id = $1 and conversation_id = $2 and id = $3`);

async function requireMessage(
  tx: Transaction,
  workspace_id: string,
  conversation_id: string,
  public_id: string,
  pointer: string,
): Promise<string> {
  const id = parseId('message', public_id);
  const [message] = id ? await selectMessage(tx, [workspace_id, conversation_id, id]) : [];
  if (!message) throw invalid(unknownReference('names no message of this conversation', pointer));
  return message.id;
}

/** Tells the other tabs of the person. */
async function publish(tx: Transaction, viewer: Viewer, id: string): Promise<ReadMark> {
  const [mark] = await listReadMarks(tx, viewer, [id]);
  if (!mark) throw new Refusal('not_found');
  const { workspace_id, user_id } = viewer;
  const { conversation_id: _, ...details } = mark;
  await publishLive(tx, [{ workspace_id, kind: 'read_mark', conversation_id: id, for_user_id: user_id, details }]);
  return mark;
}
