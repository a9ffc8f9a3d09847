import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { findByToken } from './find-by-token.ts';

/** A message that is about to be stored in its conversation. */
interface QuotingMessage {
  id: string;
  workspace_id: string;
  channel_id: string;
  contact_id: string;
  platform_message_id: string;
  quoted_platform_id?: string | undefined;
}

const select = statement<{ n: number; id: string }>(`
  select q.n, m.id
  from json_to_recordset($1) as q (n integer, workspace_id uuid, channel_id uuid, quoted_platform_id text)
  join messages m on m.channel_id = q.channel_id and m.platform_message_id = q.quoted_platform_id
  join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id and c.contact_id is not null
  where m.workspace_id = q.workspace_id`);

// Messages of the same batch are not stored yet.
const selectInBatch = statement<{ n: number; id: string }>(`
  select q.n, b.id
  from json_to_recordset($1) as q (n integer, channel_id uuid, contact_id uuid, quoted_platform_id text)
  join json_to_recordset($2) as b (id uuid, channel_id uuid, contact_id uuid, platform_message_id text)
    on b.channel_id = q.channel_id and b.contact_id = q.contact_id
    and platform_message_token(b.platform_message_id) = platform_message_token(q.quoted_platform_id)`);

/**
 * The ids of quoted messages by index: stored ones, or ones of this batch. The whole id of the platform counts first, then the token
 * inside it among the messages of the contact. Unknown ones are left out.
 */
export async function findQuoted(tx: Transaction, messages: readonly QuotingMessage[]): Promise<Map<number, string>> {
  const quoting = messages.flatMap(({ workspace_id, channel_id, contact_id, quoted_platform_id }, n) =>
    quoted_platform_id ? [{ n, workspace_id, channel_id, contact_id, quoted_platform_id }] : [],
  );
  if (quoting.length === 0) return new Map();
  const rows = await select(tx, [JSON.stringify(quoting)]);
  const found = new Map(rows.map(({ n, id }) => [n, id]));
  for (const { n, channel_id, quoted_platform_id } of quoting) {
    const same = messages.find(
      (other) => other.channel_id === channel_id && other.platform_message_id === quoted_platform_id,
    );
    if (!found.has(n) && same) found.set(n, same.id);
  }
  const left = quoting.filter(({ n }) => !found.has(n));
  if (left.length === 0) return found;
  const references = left.map(({ quoted_platform_id, ...person }) => {
    return { ...person, platform_message_id: quoted_platform_id };
  });
  for (const { n, id } of await findByToken(tx, references)) found.set(left[n]!.n, id);
  const batch = messages.map(({ id, channel_id, contact_id, platform_message_id }) => {
    return { id, channel_id, contact_id, platform_message_id };
  });
  for (const { n, id } of await selectInBatch(tx, [JSON.stringify(left), JSON.stringify(batch)])) {
    if (!found.has(n)) found.set(n, id);
  }
  return found;
}
