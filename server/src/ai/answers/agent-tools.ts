import type { Schema, ToolSet } from 'ai';
import { type Static, type TObject, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Connection } from '../../database/pool.ts';
import { storableText } from '../../database/storable-text.ts';
import { findPassages } from '../knowledge/find-passages.ts';

const passagesPerSearch = 4;
const maxSearches = 4;

export interface AgentTools {
  tools: ToolSet;
  /** The reason of the model for a handover; undefined without one. */
  handedOver(): string | undefined;
  /** The names of the sources that the searches found. */
  readSources(): string[];
}

const SearchInput = Type.Object({ query: Type.String({ description: 'What to look for, in a few words.' }) });
const HandOverInput = Type.Object({
  reason: Type.Optional(Type.String({ description: 'Why, in a few words, for the team.' })),
});

/**
 * The tools of a model in a conversation: search the knowledge of its agent, and hand over. The workspace and the agent are
 * fixed here: no argument names them, and extra arguments are ignored.
 */
export async function createAgentTools(pool: Connection, workspace_id: string, agent_id: string): Promise<AgentTools> {
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
  const sources: string[] = [];
  const tools: ToolSet = {
    search_knowledge: {
      description: 'Searches what the business knows: delivery, prices, opening hours, returns and so on.',
      inputSchema: inputOf(SearchInput),
      async execute({ query }: Static<typeof SearchInput>) {
        searches += 1;
        if (searches > maxSearches) return { knowledge: [] };
        const found = await findPassages(pool, { workspace_id, agent_id, text: query, count: passagesPerSearch });
        for (const { source } of found) sources.push(source);
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
  return { tools, handedOver: () => reason, readSources: () => sources };
}
