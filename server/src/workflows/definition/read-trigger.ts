import type { BeginRun } from '../../automation/jobs.ts';
import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { VariableScope } from '../run/expand.ts';
import { readReply, replyColumn } from './read-reply.ts';

/** The values of the variables `trigger.…`, fixed at the start of the run. */
export async function readTrigger(tx: Transaction, type: string, event: BeginRun): Promise<VariableScope> {
  const { workspace_id, message_id, detail } = event;
  switch (type) {
    case 'message_received':
    case 'no_reply':
      return { type, message: await readMessage(tx, workspace_id, message_id) };
    case 'conversation_created':
      return { type, started_by: await readStarter(tx, event) };
    case 'stage_changed': {
      const { of, stage_id, previous_stage_id } = (detail ?? {}) as Record<string, string | null>;
      const names = await readStages(tx, workspace_id, [stage_id, previous_stage_id]);
      return { type, of, stage: names.get(stage_id!) ?? null, previous_stage: names.get(previous_stage_id!) ?? null };
    }
    default:
      return { type, ...detail };
  }
}

const selectMessage = statement<{ id: string; kind: string; body: string | null; is_first: boolean; raw: unknown }>(`
  select m.id, m.kind, m.body, ${replyColumn} as raw, not exists (select from messages o
    where o.workspace_id = m.workspace_id and o.conversation_id = m.conversation_id and o.direction = m.direction
      and o.kind <> 'note' and o.id < m.id) as is_first
  from messages m where m.workspace_id = $1 and m.id = $2`);

async function readMessage(tx: Transaction, workspace_id: string, message_id: string | null): Promise<VariableScope> {
  const [message] = await selectMessage(tx, [workspace_id, message_id]);
  if (!message) return {};
  const { id, kind, body, is_first, raw } = message;
  return { id: publicId('message', id), kind, body: body ?? '', is_first, ...readReply(raw) };
}

const selectFirst = statement<{ direction: string }>(`
  select direction from messages where workspace_id = $1 and conversation_id = $2 and kind <> 'note' order by id limit 1`);

async function readStarter(tx: Transaction, { workspace_id, conversation_id }: BeginRun): Promise<string> {
  const [first] = await selectFirst(tx, [workspace_id, conversation_id]);
  return first?.direction === 'inbound' ? 'customer' : 'business';
}

const selectStages = statement<{ id: string; name: string }>(`
  select id, name from stages where workspace_id = $1 and id = any ($2::uuid[])`);

async function readStages(tx: Transaction, workspace_id: string, ids: (string | null | undefined)[]) {
  const rows = await selectStages(tx, [workspace_id, ids.filter(Boolean)]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
