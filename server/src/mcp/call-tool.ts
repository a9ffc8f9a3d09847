import type { Confirmations } from './confirmation.ts';
import { tokenMember } from './confirmation.ts';
import { markData } from './mark-data.ts';
import { type PerformOperation, RefusedCall, type ToolRefusal } from './perform-operation.ts';
import { checkInput, hintsOf, isOffered, sendingScope, type Tool, type ToolInput } from './tool.ts';
import { isServed, previewed, tools } from './tools.ts';

/** The key with which an assistant works. */
export interface Principal {
  workspace_id: string;
  key_prefix: string;
  scopes: readonly string[];
}

export interface ToolContext {
  principal: Principal;
  perform: PerformOperation;
  confirmations: Confirmations;
  /** Whether the installation serves what is `Coming soon`. */
  coming_soon: boolean;
  onBug: (error: unknown) => void;
}

const tokenSchema = {
  type: 'string',
  description:
    'Absent: nothing is done, and the answer is a preview with this token. Show the preview to the person first.',
};

/** The tools that the key may use, as MCP describes them. */
export function listTools({ principal, coming_soon }: Pick<ToolContext, 'principal' | 'coming_soon'>) {
  return tools
    .filter((tool) => isServed(tool, coming_soon) && isOffered(tool, principal.scopes))
    .map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.preview
        ? `${tool.description} The first call only previews it; ${tokenMember} confirms it.`
        : tool.description,
      inputSchema: tool.preview
        ? { ...tool.input, properties: { ...tool.input.properties, [tokenMember]: tokenSchema } }
        : tool.input,
      annotations: hintsOf(tool),
    }));
}

export interface ToolAnswer {
  content: { type: 'text'; text: string }[];
  isError?: true;
}

/** Calls a tool. A refusal is an answer that the model reads. */
export async function callTool(context: ToolContext, name: string, input: ToolInput): Promise<ToolAnswer> {
  try {
    const tool = tools.find((one) => one.name === name && isServed(one, context.coming_soon));
    if (!tool) return refuse({ code: 'not_found', detail: 'There is no such tool.' });
    if (!isOffered(tool, context.principal.scopes)) return refuse(missingScope(tool, context.principal));
    return { content: [{ type: 'text', text: markData(await performTool(context, tool, input)) }] };
  } catch (error) {
    if (error instanceof RefusedCall) return refuse(error.refusal);
    context.onBug(error);
    return refuse({ code: 'internal_server_error' });
  }
}

async function performTool(
  context: ToolContext,
  tool: Tool,
  { [tokenMember]: token, ...input }: ToolInput,
): Promise<unknown> {
  const { perform, confirmations, principal } = context;
  checkInput(tool, { ...input, ...(token !== undefined && !tool.preview && { [tokenMember]: token }) });
  const confirmed = { ...principal, tool: previewed.get(tool.name) ?? tool.name, input };
  if (previewed.has(tool.name)) {
    return { preview: await tool.call(perform, input), ...confirmations.issue(confirmed) };
  }
  if (!tool.preview) return tool.call(perform, input);
  if (token !== undefined) return tool.call(perform, input, confirmations.redeem(token, confirmed));
  return { done: 'nothing yet', preview: await tool.preview(perform, input), ...confirmations.issue(confirmed) };
}

function missingScope({ operations, drafts }: Tool, { scopes }: Principal): ToolRefusal {
  const needed = operations.map(({ scope }) => scope).find((scope) => scope !== undefined && !scopes.includes(scope));
  const reason = drafts ? '' : ' It may only read and draft.';
  return { code: 'insufficient_scope', detail: `The key needs the scope ${needed ?? sendingScope}.${reason}` };
}

function refuse(refusal: ToolRefusal): ToolAnswer {
  return { content: [{ type: 'text', text: JSON.stringify(refusal) }], isError: true };
}
