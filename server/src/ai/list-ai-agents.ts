import type { Connection } from '../database/pool.ts';
import { build, run } from '../database/query.ts';

export interface AiAgentRow {
  id: string;
  name: string;
  status: string | null;
  languages: string[];
}

/** All AI agents in the order of their creation. */
export function listAiAgents(connection: Connection, workspace_id: string): Promise<AiAgentRow[]> {
  const query = build.selectFrom('ai_agents').select(['id', 'name', 'status', 'languages']);
  return run(connection, query.where('workspace_id', '=', workspace_id).orderBy('id'));
}
