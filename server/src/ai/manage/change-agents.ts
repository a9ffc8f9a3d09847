import type { AiAgentStatus } from '@majlis/console-api';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { storableText } from '../../database/storable-text.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';
import { requireText } from '../../http/require-text.ts';
import type { Clock } from '../../process/clock.ts';
import { holdBudget, insertAiAgent, lockAiAgents, saveBudget, updateAiAgent } from '../queries.ts';
import { versionOfAgent } from './read-ai-state.ts';

export interface AiAgentChange {
  name?: string;
  status?: AiAgentStatus;
  languages?: string[];
  instructions?: string;
  proposes?: boolean;
  monthly_credits?: number | null;
}

/** Answers the id of the new agent. */
export async function createAiAgent(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  order: AiAgentChange & { name: string },
): Promise<string> {
  const {
    name,
    status = 'active',
    languages = [],
    instructions = null,
    proposes = false,
    monthly_credits = null,
  } = readChange(order);
  const values = { name: name!, status, languages, instructions, proposes, monthly_credits };
  const agent = { id: newId(clock), ...values, file_name: null, changed_at: clock.now() };
  if (!(await insertAiAgent(tx, workspace_id, agent))) throw takenName();
  return agent.id;
}

/** Changes what a person sent. Where somebody changed the agent since `version`, nothing changes. */
export async function changeAiAgent(
  tx: Transaction,
  clock: Clock,
  { workspace_id, id }: { workspace_id: string; id: string },
  version: string,
  change: AiAgentChange,
): Promise<void> {
  const agents = await lockAiAgents(tx, workspace_id);
  const before = agents.find((agent) => agent.id === id);
  if (!before) throw new Refusal('not_found');
  if (versionOfAgent(before) !== version) throw new Refusal('changed_meanwhile');
  const values = readChange(change);
  const isRenamed = values.name !== undefined && values.name !== before.name;
  if (isRenamed) {
    if (agents.some(({ name }) => name === values.name)) throw takenName();
    await refuseUsedName(tx, workspace_id, before.name);
  }
  const file_name = before.file_name ?? (isRenamed ? before.name : null);
  await updateAiAgent(tx, workspace_id, id, { ...values, file_name, changed_at: clock.now() });
}

/** Null removes the limit. */
export async function changeAiBudget(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { monthly_credits, expected }: { monthly_credits: number | null; expected: number | null },
): Promise<void> {
  const before = await holdBudget(tx, workspace_id);
  if (before.monthly_credits !== expected) throw new Refusal('changed_meanwhile');
  await saveBudget(tx, workspace_id, monthly_credits, clock.now());
}

function readChange({ name, languages, instructions, ...change }: AiAgentChange) {
  return {
    ...change,
    ...(name !== undefined && { name: readName(name) }),
    ...(languages !== undefined && { languages: readLanguages(languages) }),
    ...(instructions !== undefined && { instructions: storableText(instructions).trim() || null }),
  };
}

function readName(text: string): string {
  const name = requireText(storableText(text), '/name').replace(/\s+/g, ' ');
  // A step of a workflow with a variable in it names another agent with each run.
  if (name.includes('{{')) throw invalid({ detail: 'must not contain {{', pointer: '/name' });
  return name;
}

function readLanguages(languages: readonly string[]): string[] {
  const codes = languages.map((text, index) => {
    try {
      return Intl.getCanonicalLocales(text)[0]!;
    } catch {
      throw invalid({ detail: 'is no code of a language', pointer: `/languages/${index}` });
    }
  });
  return [...new Set(codes)];
}

const takenName = () => invalid({ detail: 'is the name of another AI agent', pointer: '/name' });

const findUses = statement<{ name: string }>(`
  select w.name from workflows w
  join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id and v.version = w.version
  where w.workspace_id = $1
    and jsonb_path_exists(v.definition::jsonb, '$.**.agent ? (@ == $name)', jsonb_build_object('name', $2::text))
  order by w.name limit 1`);

/** A step of a workflow finds its agent by the name. */
async function refuseUsedName(tx: Transaction, workspace_id: string, name: string): Promise<void> {
  const [workflow] = await findUses(tx, [workspace_id, name]);
  if (workflow) throw invalid({ detail: `cannot change: the workflow ${workflow.name} uses it`, pointer: '/name' });
}
