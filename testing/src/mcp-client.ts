import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { cleanUp } from './cleanup.ts';
import type { AnyJson } from './json.ts';

/** The revisions of the protocol that clients speak: with a handshake, and without one. */
export const mcpRevisions = ['2025-11-25', '2026-07-28'] as const;
export type McpRevision = (typeof mcpRevisions)[number];

export interface McpClient {
  client: Client;
  /** The data of the answer. Throws the refusal of a tool. */
  call(name: string, input?: Record<string, unknown>): Promise<AnyJson>;
  /** The answer as it came. */
  callRaw(name: string, input?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
}

/** Connects the official client to `POST /mcp`. */
export function connectMcp({ url }: { url: string }, key: string, revision: McpRevision): Promise<McpClient> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  return openMcp(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }), revision);
}

export async function openMcp(transport: Transport, revision: McpRevision): Promise<McpClient> {
  const isModern = revision === '2026-07-28';
  const options = isModern ? { versionNegotiation: { mode: { pin: revision } } } : {};
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  await client.connect(transport);
  cleanUp('an MCP client', () => client.close());

  async function callRaw(name: string, input: Record<string, unknown> = {}) {
    const answer = await client.callTool({ name, arguments: input });
    const text = (answer.content as { text: string }[]).map((part) => part.text).join('\n');
    return { text, isError: answer.isError === true };
  }
  return {
    client,
    callRaw,
    async call(name, input) {
      const { text, isError } = await callRaw(name, input);
      if (isError) throw Object.assign(new Error(text), { refusal: JSON.parse(text) });
      return readMarked(text);
    },
  };
}

/** The data between its marks. */
function readMarked(text: string): AnyJson {
  const [, , data] = /<(data-[0-9a-f]{12})>\n(.*)\n<\/\1>$/s.exec(text) ?? [];
  if (data === undefined) throw new Error(`the answer is not marked as data: ${text}`);
  return JSON.parse(data);
}
