import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { TargetNames } from './find-targets.ts';

/** A permitted send. */
interface Candidate {
  send: {
    names: Pick<TargetNames, 'workspace_id'>;
    actor: { kind: string; id: string } | undefined;
    seen_reply_id?: string | null | undefined;
  };
  conversation_id: string | null;
  message_id: string;
}

interface Reply {
  message_id: string;
  user_id: string;
}

// Ids grow with time, so those after the seen one are few. A conversation whose newest reply was seen is not looked through: a person
// who has seen none may send to a customer who has written for years.
const selectUnseen = statement<{ n: number; message_id: string; user_id: string | null }>(`
  select w.n, m.id as message_id, m.actor_id as user_id
  from json_to_recordset($1) as w (n integer, workspace_id uuid, conversation_id uuid, seen_reply_id uuid, user_id uuid)
  cross join lateral (select coalesce(w.seen_reply_id, '00000000-0000-0000-0000-000000000000') as id) s
  join conversations c on c.workspace_id = w.workspace_id and c.id = w.conversation_id and c.last_business_message_id > s.id
  cross join lateral (
    select o.id, o.actor_id from messages o
    where o.workspace_id = w.workspace_id and o.conversation_id = w.conversation_id and o.id > s.id
      and o.direction = 'outbound' and o.kind <> 'note' and o.actor_kind = 'user' and o.actor_id <> w.user_id
    order by o.id desc limit 1) m`);

/** The newest stored reply of a colleague that the sender has not seen, by send. */
async function findUnseen<One extends Candidate>(
  tx: Transaction,
  candidates: readonly One[],
): Promise<Map<One, Reply>> {
  const compared = candidates.filter(({ send }) => send.seen_reply_id !== undefined);
  if (compared.length === 0) return new Map();
  const wanted = compared.map(({ send: { names, actor, seen_reply_id }, conversation_id }, n) => {
    return { n, workspace_id: names.workspace_id, conversation_id, seen_reply_id, user_id: actor!.id };
  });
  const rows = await selectUnseen(tx, [JSON.stringify(wanted)]);
  return new Map(rows.map(({ n, message_id, user_id }) => [compared[n]!, { message_id, user_id: user_id! }]));
}

/** The refusals of sends whose person has not seen a colleague's newer reply, stored or earlier among these. */
export async function refuseUnseen<One extends Candidate>(
  tx: Transaction,
  candidates: readonly One[],
): Promise<Map<One, Refusal>> {
  const stored = await findUnseen(tx, candidates);
  const replies = new Map<string, Reply[]>();
  const refusals = new Map<One, Refusal>();
  for (const candidate of candidates) {
    const { send, conversation_id, message_id } = candidate;
    const { actor, seen_reply_id } = send;
    const own = replies.get(conversation_id!) ?? [];
    const unseen = own.findLast(({ user_id }) => user_id !== actor?.id) ?? stored.get(candidate);
    if (seen_reply_id !== undefined && unseen) refusals.set(candidate, refusalOf(unseen));
    else if (actor?.kind === 'user') replies.set(conversation_id!, [...own, { message_id, user_id: actor.id }]);
  }
  return refusals;
}

/** Asks again once the conversations are locked: a colleague may have been faster. The next attempt refuses the send. */
export async function holdUnseen(tx: Transaction, candidates: readonly Candidate[]): Promise<void> {
  if ((await findUnseen(tx, candidates)).size > 0) throw new Outdated('a colleague has replied');
}

function refusalOf({ message_id, user_id }: Reply): Refusal {
  const newer_reply = { message_id: publicId('message', message_id), user_id: publicId('user', user_id) };
  return new Refusal('newer_reply', { newer_reply });
}
