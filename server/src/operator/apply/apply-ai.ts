import { saveAiAgents, saveBudget } from '../../ai/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import type { WorkspaceFile } from './workspace-file.ts';

/** Saves AI agents by name, and the monthly budget of AI. Answers the ids by name. */
export async function applyAi(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  { ai_agents = [], ai }: Pick<WorkspaceFile, 'ai_agents' | 'ai'>,
): Promise<Map<string, string>> {
  if (ai?.monthly_credits !== undefined) await saveBudget(tx, workspace_id, ai.monthly_credits);
  const rows = ai_agents.map(({ name, status = null, languages = null, instructions = null }) => {
    return { id: newId(clock), name, status, languages, instructions };
  });
  return saveAiAgents(tx, workspace_id, rows);
}
