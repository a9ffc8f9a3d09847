import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { otherIdsOf, type PersonIds } from '../../platform/message-ids.ts';

/** A message as the platform reports it. */
interface ReportedMessage {
  workspace_id: string;
  channel_id: string;
  platform_message_id: string;
  /** The ids by which the report names the person. */
  person: PersonIds;
}

/** The ids that are known of a person. */
type KnownIds = Record<keyof PersonIds, string | null>;

/** The messages of a list, with their places `n` in it, that are stored under these ids. */
export const selectStored = statement<{ n: number; platform_message_id: string }>(`
  select w.n, w.platform_message_id
  from json_to_recordset($1) as w (n integer, workspace_id uuid, channel_id uuid, platform_message_id text)
  cross join lateral (
    select 1 from messages m where m.workspace_id = w.workspace_id and m.channel_id = w.channel_id
      and m.platform_message_id = w.platform_message_id limit 1) known`);

/**
 * Gives each message the platform's id under which it is stored, or comes first in the batch. The platform builds the id of one message
 * with the number or with the user id of the person. `known`: the contact of each message, since a report may name one of them alone.
 */
export async function underStoredIds<Message extends ReportedMessage>(
  tx: Transaction,
  messages: readonly Message[],
  known: readonly KnownIds[],
): Promise<readonly Message[]> {
  const others = messages.flatMap(({ workspace_id, channel_id, platform_message_id, person }, n) =>
    otherIdsOf(platform_message_id, withKnown(person, known[n]!)).map((other) => ({
      n,
      workspace_id,
      channel_id,
      platform_message_id: other,
    })),
  );
  if (others.length === 0) return messages;
  const stored = await selectStored(tx, [JSON.stringify(others)]);
  const first = new Map(stored.map(({ n, platform_message_id }) => [n, platform_message_id]));
  const before = new Map(messages.map((message, n) => [keyOf(message), n] as const).reverse());
  for (const other of others) {
    const at = before.get(keyOf(other)) ?? messages.length;
    if (at < other.n && !first.has(other.n)) first.set(other.n, first.get(at) ?? other.platform_message_id);
  }
  return messages.map((message, n) => ({
    ...message,
    platform_message_id: first.get(n) ?? message.platform_message_id,
  }));
}

function withKnown(person: PersonIds, known: KnownIds): PersonIds {
  return { wa_id: person.wa_id ?? known.wa_id ?? undefined, user_id: person.user_id ?? known.user_id ?? undefined };
}

function keyOf({
  channel_id,
  platform_message_id,
}: Pick<ReportedMessage, 'channel_id' | 'platform_message_id'>): string {
  return `${channel_id} ${platform_message_id}`;
}
