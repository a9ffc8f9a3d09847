import { type AiAgentState, consoleOperations } from '@majlis/console-api';
import { readMonth } from '../ai/credits.ts';
import { type AiAgentChange, changeAiAgent, changeAiBudget, createAiAgent } from '../ai/manage/change-agents.ts';
import { readAgentStates, readAiState, readBudget } from '../ai/manage/read-ai-state.ts';
import { publicId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { withinQuota } from '../workspaces/within-quota.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** AI agents and what they may spend, as administrators decide it. */
export function aiAgentRoutes(serve: ServeConsole, resources: Resources): void {
  const { config, pool, clock } = resources;

  serve(consoleOperations.getAiState, async ({ caller }) => ({
    status: 200,
    body: await readAiState(pool, resources, caller.workspace_id),
  }));

  serve(consoleOperations.createAiAgent, async ({ caller, body }) => {
    const { workspace_id } = caller;
    const created = await transactionOf(caller, pool, async (tx) => {
      const created_id = await withinQuota(tx, config.quotas, { workspace_id, kind: 'ai_agents' }, () =>
        createAiAgent(tx, clock, workspace_id, body),
      );
      const id = publicId('ai_agent', created_id);
      await recordActs(tx, clock, [toAct(caller, 'createAiAgent', { ai_agent_id: id }, describe(body))]);
      return readAgent(tx, workspace_id, id);
    });
    return { status: 201, body: created };
  });

  serve(consoleOperations.changeAiAgent, async ({ caller, params, body: { version, ...change } }) => {
    const { workspace_id } = caller;
    const { ai_agent_id } = params;
    const id = requireId('ai_agent', ai_agent_id);
    const changed = await transactionOf(caller, pool, async (tx) => {
      await withinQuota(tx, config.quotas, { workspace_id, kind: 'ai_agents' }, () =>
        changeAiAgent(tx, clock, { workspace_id, id }, version, change),
      );
      await recordActs(tx, clock, [toAct(caller, 'changeAiAgent', { ai_agent_id }, describe(change))]);
      return readAgent(tx, workspace_id, ai_agent_id);
    });
    return { status: 200, body: changed };
  });

  serve(consoleOperations.changeAiBudget, async ({ caller, body }) => {
    const { workspace_id } = caller;
    const budget = await transactionOf(caller, pool, async (tx) => {
      await changeAiBudget(tx, clock, workspace_id, body);
      await recordActs(tx, clock, [toAct(caller, 'changeAiBudget', {}, { monthly_credits: body.monthly_credits })]);
      return readBudget(tx, workspace_id, await readMonth(tx, clock, workspace_id));
    });
    return { status: 200, body: budget };
  });

  async function readAgent(tx: Transaction, workspace_id: string, id: string): Promise<AiAgentState> {
    const states = await readAgentStates(tx, workspace_id, await readMonth(tx, clock, workspace_id));
    return states.find(({ agent }) => agent.id === id)!;
  }
}

/** Instructions may be long, so the log tells that they changed. */
function describe({ instructions, ...change }: AiAgentChange): object {
  return { ...change, ...(instructions !== undefined && { instructions_changed: true }) };
}
