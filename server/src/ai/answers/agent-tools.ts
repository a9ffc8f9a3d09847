import type { ToolSet } from 'ai';
import type { Connection } from '../../database/pool.ts';
import { storableText } from '../../database/storable-text.ts';
import { findPassages } from '../knowledge/find-passages.ts';

const passagesRead = 4;
const mostSearches = 4;

export interface AgentTools {
  tools: ToolSet;
  /** Why the model wants a person to go on; undefined while it does not. */
  handedOver(): string | undefined;
}

/**
 * All that a model can do in a conversation: search what its agent may use, and hand over. Which workspace, agent and conversation
 * that is, is settled here: no argument names one, and what a model adds to the arguments is not read.
 */
export async function agentTools(pool: Connection, workspace_id: string, agent_id: string): Promise<AgentTools> {
  // With the first answer, like the library of models: most processes never give one.
  const { z } = await import('zod');
  let reason: string | undefined;
  let searches = 0;
  const tools: ToolSet = {
    search_knowledge: {
      description: 'Searches what the business knows: delivery, prices, opening hours, returns and so on.',
      inputSchema: z.object({ query: z.string().describe('What to look for, in a few words.') }),
      async execute({ query }: { query: string }) {
        searches += 1;
        if (searches > mostSearches) return { knowledge: [] };
        const found = await findPassages(pool, { workspace_id, agent_id, text: query, count: passagesRead });
        return { knowledge: found.map(({ source, body }) => ({ source, text: body })) };
      },
    },
    hand_over: {
      description: 'Hands the conversation over to a person of the business. Nothing is sent to the customer.',
      inputSchema: z.object({ reason: z.string().optional().describe('Why, in a few words, for the team.') }),
      async execute(input: { reason?: string | undefined }) {
        reason = storableText(input.reason ?? '').trim() || 'it is not sure of the answer';
        return { done: true };
      },
    },
  };
  return { tools, handedOver: () => reason };
}
