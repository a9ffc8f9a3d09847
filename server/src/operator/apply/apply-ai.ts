import {
  holdBudget,
  insertAiAgent,
  lockAiAgents,
  type StoredAiAgent,
  saveBudget,
  updateAiAgent,
} from '../../ai/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import type { Kept } from './kept.ts';
import type { WorkspaceFile } from './workspace-file.ts';

type FileAgent = NonNullable<WorkspaceFile['ai_agents']>[number];

/**
 * Saves AI agents by name, and the monthly budget of AI. What a person changed stays; a renamed agent keeps its name in the
 * file. Answers the ids by name.
 */
export async function applyAi(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { ai_agents = [], ai }: Pick<WorkspaceFile, 'ai_agents' | 'ai'>,
  kept: Kept[],
): Promise<Map<string, string>> {
  if (ai?.monthly_credits !== undefined) await applyBudget(tx, workspace_id, ai.monthly_credits, kept);
  const stored = ai_agents.length === 0 ? [] : await lockAiAgents(tx, workspace_id);
  const ids = new Map<string, string>();
  for (const file of ai_agents) {
    const { name } = file;
    const before = stored.find(({ file_name }) => file_name === name) ?? stored.find((row) => row.name === name);
    ids.set(name, before?.id ?? (await insert(tx, clock, workspace_id, file)));
    if (before?.changed_at) for (const value of listKept(file, before)) kept.push(value);
    else if (before) await update(tx, workspace_id, file, before);
  }
  return ids;
}

async function applyBudget(tx: Transaction, workspace_id: string, credits: number | null, kept: Kept[]): Promise<void> {
  const before = await holdBudget(tx, workspace_id);
  if (!before.changed_at) return saveBudget(tx, workspace_id, credits, null);
  if (before.monthly_credits === credits) return;
  const [value, in_file] = [sayCredits(before.monthly_credits), sayCredits(credits)];
  kept.push({ ai: 'budget', member: 'monthly_credits', value, in_file });
}

async function insert(tx: Transaction, clock: Clock, workspace_id: string, file: FileAgent): Promise<string> {
  const { name, status = null, languages = [], instructions = null, proposes = false, monthly_credits = null } = file;
  const values = { name, status, languages: [...languages], instructions, proposes, monthly_credits };
  const agent = { id: newId(clock), ...values, file_name: null, changed_at: null };
  await insertAiAgent(tx, workspace_id, agent);
  return agent.id;
}

async function update(tx: Transaction, workspace_id: string, file: FileAgent, before: StoredAiAgent): Promise<void> {
  const changes = listDifferences(file, before).map(({ member }) => [member, file[member]]);
  if (changes.length > 0) await updateAiAgent(tx, workspace_id, before.id, Object.fromEntries(changes));
}

function listKept(file: FileAgent, before: StoredAiAgent): Kept[] {
  const ai_agent = file.name;
  const renamed = { ai_agent, member: 'name', value: before.name, in_file: file.name };
  return [
    ...(before.name === file.name ? [] : [renamed]),
    ...listDifferences(file, before).map((difference) => ({ ai_agent, ...difference })),
  ];
}

function listDifferences(file: FileAgent, before: StoredAiAgent) {
  return members.flatMap((member) => {
    if (file[member] === undefined) return [];
    const [value, in_file] = [asText(before[member], member), asText(file[member], member)];
    return value === in_file ? [] : [{ member, value, in_file: in_file! }];
  });
}

const members = ['status', 'languages', 'instructions', 'proposes', 'monthly_credits'] as const;

function asText(value: FileAgent[(typeof members)[number]] | null, member: string): string | null {
  if (member === 'monthly_credits') return sayCredits(value as number | null);
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? value.join(' ') : String(value);
}

const sayCredits = (credits: number | null): string => (credits === null ? 'no limit' : String(credits));
