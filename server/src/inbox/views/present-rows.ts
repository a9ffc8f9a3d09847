import type { InboxRow } from '@majlis/console-api';
import { type ConversationRow, presentConversation } from '../../conversations/present.ts';
import type { Viewer } from '../../conversations/require-conversation.ts';
import { publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { senderKind } from '../../messages/sender-kind.ts';
import { describedBy, presentUnreadable } from '../../messages/unreadable-content.ts';
import { type OwnPart, readOwnParts } from '../own-parts.ts';

/** What a row shows besides its conversation, the same to everybody. */
export interface Preview {
  conversation_id: string;
  snoozed_until: Date | null;
  message_id: string | null;
  direction: string;
  kind: string;
  body: string | null;
  /** What the platform reported, where the text may be a description of it. */
  described: unknown;
  created_at: Date;
  status: string | null;
  actor_kind: string | null;
  actor_id: string | null;
  has_scheduled: boolean;
}

// A note is no message of the conversation: it does not move its row. All look-ups are by key: with a list of ids, a database that
// was never analysed reads the whole workspace.
const selectPreviews = statement<Preview>(`
  select c.id as conversation_id, c.snoozed_until, p.message_id, p.direction, p.kind, p.body, p.described, p.created_at,
    p.status, p.actor_kind, p.actor_id, exists (
    select from scheduled_messages s where s.workspace_id = $1 and s.conversation_id = c.id
      and s.state in ('scheduled', 'failed')) as has_scheduled
  from unnest($2::uuid[]) n (id) cross join lateral (
    select id, snoozed_until, last_customer_message_id, last_business_message_id from conversations o
    where o.workspace_id = $1 and o.id = n.id offset 0
  ) c left join lateral (
    select m.id as message_id, m.direction, m.kind, left(m.body, 160) as body, m.created_at, m.status, m.actor_id,
      ${senderKind} as actor_kind, ${describedBy('m')} as described
    from messages m
    where m.workspace_id = $1 and m.id = greatest(c.last_customer_message_id, c.last_business_message_id) offset 0
  ) p on true`);

/** By conversation. */
export async function readPreviews(
  connection: Connection,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<Map<string, Preview>> {
  const previews = await selectPreviews(connection, [workspace_id, conversation_ids]);
  return new Map(previews.map((preview) => [preview.conversation_id, preview]));
}

/** The rows as the inbox shows them to the person. */
export async function presentRows(
  connection: Connection,
  { workspace_id, user_id }: Viewer,
  rows: readonly ConversationRow[],
): Promise<Map<string, InboxRow>> {
  if (rows.length === 0) return new Map();
  const conversation_ids = rows.map(({ id }) => id);
  const [parts, previews] = await Promise.all([
    readOwnParts(connection, { workspace_id, user_ids: [user_id], conversation_ids }),
    readPreviews(connection, workspace_id, conversation_ids),
  ]);
  const partOf = new Map(parts.map((part) => [part.conversation_id, part]));
  // What is missing was erased between the readings.
  return new Map(
    rows.flatMap((row) => {
      const [part, preview] = [partOf.get(row.id), previews.get(row.id)];
      return part && preview ? [[row.id, { ...presentShared(row, preview), ...presentOwn(part) }]] : [];
    }),
  );
}

export type SharedRow = Pick<InboxRow, 'conversation' | 'listed_at' | 'preview' | 'has_scheduled'>;
export type OwnRow = Omit<InboxRow, keyof SharedRow>;

/** What everybody sees who sees the conversation. */
export function presentShared(row: ConversationRow, preview: Preview): SharedRow {
  const shown = presentPreview(preview);
  return {
    conversation: presentConversation(row),
    listed_at: row.last_message_at.toISOString(),
    ...(shown && { preview: shown }),
    has_scheduled: preview.has_scheduled,
  };
}

export function presentOwn({ unread_count, last_read_message_id, has_draft }: OwnPart): OwnRow {
  return {
    own_unread_count: unread_count,
    ...(last_read_message_id && { last_read_message_id: publicId('message', last_read_message_id) }),
    has_draft,
  };
}

/** Undefined where nothing was written yet. */
function presentPreview({
  message_id,
  direction,
  kind,
  body,
  described,
  created_at,
  status,
  actor_kind,
  actor_id,
}: Preview): InboxRow['preview'] {
  if (message_id === null) return undefined;
  return {
    direction,
    kind,
    ...(body !== null && { body }),
    ...presentUnreadable(described),
    created_at: created_at.toISOString(),
    ...(status !== null && { status }),
    ...(actor_kind !== null && { actor_kind }),
    ...(actor_kind === 'user' && actor_id && { user_id: publicId('user', actor_id) }),
  };
}
