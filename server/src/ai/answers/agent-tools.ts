import type { Schema, ToolSet } from 'ai';
import { type Static, type TObject, Type } from 'typebox';
import { Compile } from 'typebox/compile';
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

const SearchInput = Type.Object({ query: Type.String({ description: 'What to look for, in a few words.' }) });
const HandOverInput = Type.Object({
  reason: Type.Optional(Type.String({ description: 'Why, in a few words, for the team.' })),
});

/**
 * All that a model can do in a conversation: search what its agent may use, and hand over. Which workspace, agent and conversation
 * that is, is settled here: no argument names one, and what a model adds to the arguments is not read.
 */
export async function agentTools(pool: Connection, workspace_id: string, agent_id: string): Promise<AgentTools> {
  // The library is loaded with the first answer: most processes never give one.
  const { jsonSchema } = await import('ai');
  // Members that the model adds are ignored: `execute` reads the named ones alone.
  const inputOf = <Input extends TObject>(input: Input): Schema<Static<Input>> => {
    const compiled = Compile(input);
    return jsonSchema<Static<Input>>(input, {
      validate: (value) =>
        compiled.Check(value) ? { success: true, value } : { success: false, error: new Error('invalid tool input') },
    });
  };
  let reason: string | undefined;
  let searches = 0;
  const tools: ToolSet = {
    search_knowledge: {
      description: 'Searches what the business knows: delivery, prices, opening hours, returns and so on.',
      inputSchema: inputOf(SearchInput),
      async execute({ query }: Static<typeof SearchInput>) {
        searches += 1;
        if (searches > mostSearches) return { knowledge: [] };
        const found = await findPassages(pool, { workspace_id, agent_id, text: query, count: passagesRead });
        return { knowledge: found.map(({ source, body }) => ({ source, text: body })) };
      },
    },
    hand_over: {
      description: 'Hands the conversation over to a person of the business. Nothing is sent to the customer.',
      inputSchema: inputOf(HandOverInput),
      async execute(input: Static<typeof HandOverInput>) {
        reason = storableText(input.reason ?? '').trim() || 'it is not sure of the answer';
        return { done: true };
      },
    },
  };
  return { tools, handedOver: () => reason };
}
