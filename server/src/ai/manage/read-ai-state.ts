import { createHash } from 'node:crypto';
import type { AiAgentState, AiState } from '@majlis/console-api';
import { lowestIdAt } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Resources } from '../../process/resources.ts';
import { type Month, readMonth } from '../credits.ts';
import { presentAiAgent } from '../present.ts';
import { type AiAgentValues, sumCreditsOfMonth } from '../queries.ts';
import { isActive } from '../rules.ts';

interface AgentStateRow extends AiAgentValues {
  id: string;
  credits_used: number;
  conversations: number;
  sources: number;
  sent: number;
  proposed: number;
  handed_over: number;
}

const selectStates = statement<AgentStateRow>(`
  select a.id, a.name, a.status, a.languages, a.instructions, a.monthly_credits, a.proposes,
    (select coalesce(sum(u.credits), 0)::bigint from ai_usage u
      where u.workspace_id = $1 and u.ai_agent_id = a.id and u.created_at >= $2 and u.created_at < $3) as credits_used,
    (select count(*)::integer from conversations c
      where c.workspace_id = $1 and c.ai_agent_id = a.id and c.controller = 'bot' and c.workflow_run_id is null
    ) as conversations,
    (select count(*)::integer from knowledge_sources s
      where s.workspace_id = $1 and (s.ai_agent_ids is null or a.id = any (s.ai_agent_ids))) as sources,
    coalesce(o.sent, 0) as sent, coalesce(o.proposed, 0) as proposed, coalesce(o.handed_over, 0) as handed_over
  from ai_agents a
  left join (
    select r.ai_agent_id, count(*) filter (where r.outcome = 'sent')::integer as sent,
      count(*) filter (where r.outcome = 'proposed')::integer as proposed,
      count(*) filter (where r.outcome = 'handed_over')::integer as handed_over
    from ai_answers r where r.workspace_id = $1 and r.id >= $4 and r.created_at >= $2
    group by r.ai_agent_id
  ) o on o.ai_agent_id = a.id
  where a.workspace_id = $1
  order by a.id`);

const selectBudget = statement<{ monthly_credits: number | null }>(
  'select monthly_credits from ai_budgets where workspace_id = $1',
);

/** The agents with their work in this calendar month, and the budget of the workspace. */
export async function readAiState(
  connection: Connection,
  { clock, config: { ai } }: Pick<Resources, 'clock' | 'config'>,
  workspace_id: string,
): Promise<AiState> {
  const month = await readMonth(connection, clock, workspace_id);
  return {
    data: await readAgentStates(connection, workspace_id, month),
    budget: await readBudget(connection, workspace_id, month),
    has_model: ai?.model !== undefined,
    has_embeddings: ai?.embeddingModel !== undefined,
  };
}

export async function readBudget(
  connection: Connection,
  workspace_id: string,
  month: Month,
): Promise<AiState['budget']> {
  const [budget] = await selectBudget(connection, [workspace_id]);
  const credits_used = await sumCreditsOfMonth(connection, workspace_id, month);
  return { monthly_credits: budget?.monthly_credits ?? null, credits_used };
}

export async function readAgentStates(
  connection: Connection,
  workspace_id: string,
  { starts_at, ends_at }: Month,
): Promise<AiAgentState[]> {
  const rows = await selectStates(connection, [workspace_id, starts_at, ends_at, lowestIdAt(starts_at)]);
  return rows.map(presentAgentState);
}

function presentAgentState(row: AgentStateRow): AiAgentState {
  const { instructions, monthly_credits, credits_used, conversations, sources, sent, proposed, handed_over, proposes } =
    row;
  return {
    agent: presentAiAgent(row),
    is_active: isActive(row.status),
    ...(instructions !== null && { instructions }),
    ...{ proposes, monthly_credits, credits_used, conversations, sources, sent, proposed, handed_over },
    version: versionOfAgent(row),
  };
}

/** Differs after every change of a person. */
export function versionOfAgent(agent: AiAgentValues): string {
  const { name, status, languages, instructions, monthly_credits, proposes } = agent;
  const values = JSON.stringify([name, status, languages, instructions, monthly_credits, proposes]);
  return createHash('sha256').update(values).digest('base64url').slice(0, 16);
}
