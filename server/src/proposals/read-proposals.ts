import { mostCountedProposals, type Proposal } from '@majlis/console-api';
import { isOf } from '../conversations/is-visible-to.ts';
import { limitedUserOf, refuseHidden } from '../conversations/refuse-hidden.ts';
import type { Viewer } from '../conversations/require-conversation.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { presentProposal, type ShownProposal } from './present.ts';

const shown = `select p.workspace_id, p.id, p.conversation_id, p.ai_agent_id, p.workflow_id, p.run_id, p.action, p.content, p.preview,
    p.media_id, p.sources, p.answers_message_id, p.state, p.end_reason, p.decided_by, p.decision_reason, p.is_edited, p.message_id,
    p.created_at, p.due_at, p.ended_at, t.name as contact_name, c.identifier as contact_handle, coalesce(a.name, w.name) as proposer_name,
    u.name as decider_name, left(m.body, 1000) as answers, f.mime, f.filename
  from proposals p
  join conversations c on c.workspace_id = p.workspace_id and c.id = p.conversation_id and c.contact_id is not null
  join contacts t on t.workspace_id = c.workspace_id and t.id = c.contact_id
  left join ai_agents a on a.workspace_id = p.workspace_id and a.id = p.ai_agent_id
  left join workflows w on w.workspace_id = p.workspace_id and w.id = p.workflow_id
  left join users u on u.workspace_id = p.workspace_id and u.id = p.decided_by
  left join messages m on m.workspace_id = p.workspace_id and m.id = p.answers_message_id and m.deleted_at is null
  left join media f on f.workspace_id = p.workspace_id and f.id = p.media_id`;

const visible = `($2::uuid is null or ${isOf('$2', 'c')})`;
const selectWaiting = statement<ShownProposal>(`
  ${shown}
  where p.workspace_id = $1 and p.state = 'waiting' and ${visible} and ($3::uuid is null or p.conversation_id = $3)
    and ($4::uuid is null or p.id > $4)
  order by p.id limit $5`);

export interface WaitingPart {
  conversation_id: string | null;
  after: string | undefined;
  count: number;
}

/** Those that nobody has decided in the conversations that the person sees, the oldest first. */
export function listWaitingProposals(
  connection: Connection,
  viewer: Viewer,
  { conversation_id, after, count }: WaitingPart,
): Promise<ShownProposal[]> {
  const values = [viewer.workspace_id, limitedUserOf(viewer) ?? null, conversation_id, after ?? null, count];
  return selectWaiting(connection, values);
}

// One conversation has few: an agent's answer, and one step of each of its runs.
const mostOfConversation = 50;

/** Those of a conversation that the person may see. */
export async function listProposalsOf(connection: Connection, viewer: Viewer, public_id: string): Promise<Proposal[]> {
  const conversation_id = requireId('conversation', public_id);
  const part = { conversation_id, after: undefined, count: mostOfConversation };
  return (await listWaitingProposals(connection, viewer, part)).map(presentProposal);
}

const countWaiting = statement<{ waiting: number }>(`
  select count(*)::int as waiting from (
    select from proposals p
    join conversations c on c.workspace_id = p.workspace_id and c.id = p.conversation_id and c.contact_id is not null
    where p.workspace_id = $1 and p.state = 'waiting' and ${visible} limit $3) as first`);

export async function countWaitingProposals(connection: Connection, viewer: Viewer): Promise<number> {
  const values = [viewer.workspace_id, limitedUserOf(viewer) ?? null, mostCountedProposals];
  return (await countWaiting(connection, values))[0]!.waiting;
}

const selectOne = statement<ShownProposal>(`${shown} where p.workspace_id = $1 and p.id = $2`);

/** A proposal in a conversation that the person sees; 404 for any other. */
export async function requireProposal(
  connection: Connection,
  viewer: Viewer,
  public_id: string,
): Promise<ShownProposal> {
  const [row] = await selectOne(connection, [viewer.workspace_id, requireId('proposal', public_id)]);
  if (!row) throw new Refusal('not_found');
  await refuseHidden(connection, viewer, { conversation_id: row.conversation_id });
  return row;
}
