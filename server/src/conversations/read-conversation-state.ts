import type { ConversationState } from '@majlis/console-api';
import { publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';
import { requireConversation, type Viewer } from './require-conversation.ts';

interface StateRow {
  snoozed_until: Date | null;
  controller: string;
  held_by_platform: boolean;
  agent_id: string | null;
  agent_name: string | null;
  workflow_id: string | null;
  workflow_name: string | null;
}

const selectState = statement<StateRow>(`
  select c.snoozed_until, c.controller, c.held_by_platform, a.id as agent_id, a.name as agent_name, w.id as workflow_id, w.name as workflow_name
  from conversations c
  left join ai_agents a on a.workspace_id = c.workspace_id and a.id = c.ai_agent_id
  left join workflow_runs r on r.workspace_id = c.workspace_id and r.id = c.workflow_run_id
  left join workflows w on w.workspace_id = r.workspace_id and w.id = r.workflow_id
  where c.workspace_id = $1 and c.id = $2`);

/** What the contract's conversation does not say: the end of its snooze, and the name of the bot in control. */
export async function readConversationState(
  connection: Connection,
  clock: Clock,
  viewer: Viewer,
  conversation_id: string,
): Promise<ConversationState> {
  const id = await requireConversation(connection, viewer, conversation_id);
  const [row] = await selectState(connection, [viewer.workspace_id, id]);
  const { snoozed_until, controller, held_by_platform, agent_id, agent_name, workflow_id, workflow_name } = row!;
  const shown: ConversationState = {};
  if (snoozed_until && snoozed_until > clock.now()) shown.snoozed_until = snoozed_until.toISOString();
  if (controller !== 'bot') return shown;
  // A run that controls the conversation stands before the agent it may have taken it from.
  if (workflow_id) shown.bot = { kind: 'workflow', id: publicId('workflow', workflow_id), name: workflow_name! };
  else if (agent_id) shown.bot = { kind: 'ai_agent', id: publicId('ai_agent', agent_id), name: agent_name! };
  else if (held_by_platform) shown.held_by_platform = true;
  return shown;
}
