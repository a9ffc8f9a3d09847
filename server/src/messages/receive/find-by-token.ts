import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

/** A message that the platform names by another id than the stored one. A person is named by the contact, or by their ids. */
export interface TokenReference {
  workspace_id: string;
  channel_id: string;
  contact_id?: string | undefined;
  wa_id?: string | undefined;
  user_id?: string | undefined;
  platform_message_id: string;
}

export interface FoundByToken {
  /** The index of the reference. */
  n: number;
  id: string;
  /** The id as it is stored; a message without one has no token. */
  platform_message_id: string | null;
}

// Most conversations have fewer messages. An index of tokens would cost every message one more entry.
const latestMessages = 5_000;

const select = statement<FoundByToken>(`
  with wanted as (
    select *, platform_message_token(platform_message_id) as token from json_to_recordset($1) as w
      (n integer, workspace_id uuid, channel_id uuid, contact_id uuid, wa_id text, user_id text, platform_message_id text)
  )
  select w.n, m.id, m.platform_message_id from wanted w
  join channels ch on ch.workspace_id = w.workspace_id and ch.id = w.channel_id
  cross join lateral (
    select w.contact_id as id where w.contact_id is not null
    union
    select i.contact_id from contact_identities i
    where i.workspace_id = w.workspace_id and i.channel_type = ch.type and i.wa_id = w.wa_id
    union
    select i.contact_id from contact_identities i
    where i.workspace_id = w.workspace_id and i.channel_type = ch.type and i.user_id = w.user_id
  ) person
  join conversations c on c.workspace_id = w.workspace_id and c.contact_id = person.id and c.channel_id = w.channel_id
  cross join lateral (
    select latest.id, latest.platform_message_id from (
      select o.id, o.platform_message_id from messages o
      where o.workspace_id = w.workspace_id and o.conversation_id = c.id order by o.id desc limit ${latestMessages}
    ) latest
    where platform_message_token(latest.platform_message_id) = w.token limit 1
  ) m
  where w.token is not null`);

/**
 * Finds messages by the token inside the platform's id, in the conversations of the person on the channel. The platform builds the id
 * of one message with the number or with the user id of the person.
 */
export function findByToken(tx: Transaction, references: readonly TokenReference[]): Promise<FoundByToken[]> {
  if (references.length === 0) return Promise.resolve([]);
  return select(tx, [JSON.stringify(references.map((reference, n) => ({ ...reference, n })))]);
}
