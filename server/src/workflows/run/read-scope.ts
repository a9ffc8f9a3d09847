import { findContact } from '../../contacts/find-contact.ts';
import { presentContact } from '../../contacts/present.ts';
import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Instruction } from '../definition/definition.ts';
import type { VariableScope } from './expand.ts';
import type { LockedRun } from './lock-run.ts';

/** The values for the variables of a step. Reads the contact and the conversation only if the step names them. */
export async function readScope(locked: LockedRun, instruction: Instruction): Promise<VariableScope> {
  const { tx, run } = locked;
  const scope: VariableScope = { trigger: run.trigger, steps: run.results };
  if (instruction.reads_contact) scope.contact = await readContactScope(tx, run.workspace_id, run.contact_id);
  if (instruction.reads_conversation) scope.conversation = await readConversation(locked);
  return scope;
}

const selectStage = statement<{ name: string }>(`select name from stages where workspace_id = $1 and id = $2`);

/** The contact as the API shows it, with its first phone number and the name of its stage. */
export async function readContactScope(tx: Transaction, workspace_id: string, id: string): Promise<VariableScope> {
  const row = (await findContact(tx, workspace_id, id))!;
  const [stage] = row.stage_id === null ? [] : await selectStage(tx, [workspace_id, row.stage_id]);
  const phone = row.identities.find(({ identifier }) => identifier.startsWith('+'))?.identifier;
  return { ...presentContact(row), phone, stage: stage?.name };
}

const selectConversation = statement<{ status: string; window_expires_at: Date | null; stage: string | null }>(`
  select c.status, c.window_expires_at, s.name as stage
  from conversations c left join stages s on s.workspace_id = c.workspace_id and s.id = c.stage_id
  where c.workspace_id = $1 and c.id = $2`);

async function readConversation({ tx, clock, run, conversation }: LockedRun): Promise<VariableScope> {
  const [row] = conversation ? await selectConversation(tx, [run.workspace_id, conversation.id]) : [];
  if (!row || !conversation) return { window: 'closed' };
  const isOpen = row.window_expires_at !== null && clock.now() < row.window_expires_at;
  return {
    id: publicId('conversation', conversation.id),
    channel_id: publicId('channel', conversation.channel_id),
    status: row.status,
    stage: row.stage,
    window: isOpen ? 'open' : 'closed',
  };
}
