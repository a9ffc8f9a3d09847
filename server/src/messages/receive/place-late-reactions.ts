import { lowestIdAt, timeOfId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { clocksDifferMs } from '../../platform/read-timestamp.ts';
import { historyId } from '../history/history-id.ts';
import type { NewMessage } from '../queries.ts';

/** A message that is about to be stored. */
interface Reported {
  row: NewMessage;
  /** The platform's time. */
  at: Date;
  quoted_platform_id?: string | undefined;
}

// As many as a quote is looked for among.
const latestMessages = 5_000;

// The platform's time is whole seconds in nearly all reports. A reaction by this service has none.
const selectNewer = statement<{ n: number; id: string }>(`
  select w.n, newer.id from json_to_recordset($1) as w
    (n integer, workspace_id uuid, conversation_id uuid, direction text, reply_to_id uuid, quoted_platform_id text, at_s bigint,
      since uuid)
  cross join lateral (
    select o.id from (
      select m.id, m.kind, m.direction, m.reply_to_id, m.content from messages m
      where m.workspace_id = w.workspace_id and m.conversation_id = w.conversation_id and m.id >= w.since
      order by m.id desc limit ${latestMessages}
    ) o
    where o.kind = 'reaction' and o.direction = w.direction
      and (o.reply_to_id = w.reply_to_id or o.content -> 'raw' -> 'reaction' ->> 'message_id' = w.quoted_platform_id)
      and case when o.content -> 'raw' ->> 'timestamp' ~ '^\\d{10}$' then (o.content -> 'raw' ->> 'timestamp')::bigint end > w.at_s
    order by o.id limit 1
  ) newer`);

/**
 * The ids of reactions that come after a later one of the same writer to the same message, by index. They stand right in front of it,
 * since the last reaction of a writer is the one that counts.
 */
export async function placeLateReactions(tx: Transaction, reported: readonly Reported[]): Promise<Map<number, string>> {
  const reactions = reported.flatMap(({ row, at, quoted_platform_id }, n) => {
    const { workspace_id, conversation_id, direction, reply_to_id } = row;
    const at_s = Math.floor(at.getTime() / 1000);
    // A later reaction came later, by clocks that may differ.
    const since = lowestIdAt(new Date(at.getTime() - clocksDifferMs));
    const named = { n, workspace_id, conversation_id, direction, reply_to_id, quoted_platform_id, at_s, since };
    return row.kind === 'reaction' ? [named] : [];
  });
  const late = new Map<number, string>();
  if (reactions.length === 0) return late;
  const newer = new Map((await selectNewer(tx, [JSON.stringify(reactions)])).map(({ n, id }) => [n, id]));
  for (const [place, reaction] of reactions.entries()) {
    const inBatch = reactions
      .slice(0, place)
      .filter((other) => isOfSame(other, reaction) && other.at_s > reaction.at_s)
      .map(({ n }) => late.get(n) ?? reported[n]!.row.id);
    const [next] = [newer.get(reaction.n), ...inBatch].filter((id) => id !== undefined).sort();
    if (next === undefined) continue;
    const { channel_id, platform_message_id } = reported[reaction.n]!.row;
    late.set(
      reaction.n,
      historyId(`${channel_id} ${platform_message_id}`, { number: 0, at: new Date(timeOfId(next) - 1) }),
    );
  }
  return late;
}

type Target = Pick<NewMessage, 'conversation_id' | 'direction' | 'reply_to_id'> & Pick<Reported, 'quoted_platform_id'>;

/** Whether two reactions of one writer are to the same message. */
function isOfSame(one: Target, other: Target): boolean {
  if (one.conversation_id !== other.conversation_id || one.direction !== other.direction) return false;
  return (
    one.quoted_platform_id === other.quoted_platform_id ||
    (one.reply_to_id !== null && one.reply_to_id === other.reply_to_id)
  );
}

/** The message under its new id, and at its time. */
export function movedTo<Row extends NewMessage>(row: Row, id: string | undefined): Row {
  return id === undefined ? row : { ...row, id, created_at: new Date(timeOfId(id)) };
}
