import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { AnyJson } from '@majlis/testing/json';
import { mcpRevisions, openMcp } from '@majlis/testing/mcp-client';
import { receiveMessage } from '@majlis/testing/receive-message';
import { runMajlis } from '@majlis/testing/start-process';
import { startTestService } from '@majlis/testing/start-test-service';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const root = path.join(import.meta.dirname, '../../..');
const page = await readFile(path.join(root, 'docs/mcp.md'), 'utf8');
const majlis = await startTestService();
const workspace = await majlis.workspace();
const { conversation_id } = await receiveMessage(majlis, workspace, '96891230001');

const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block]) => block!);
const [overHttp, asProgram] = blocks('json').map((block) => JSON.parse(block).mcpServers.majlis) as [AnyJson, AnyJson];
const here = (text: string) => text.replace('http://127.0.0.1:8080', majlis.url).replace('YOUR_API_KEY', workspace.key);

describe('the examples of docs/mcp.md', () => {
  for (const revision of mcpRevisions) {
    it(`connect a client of ${revision} over HTTP`, async () => {
      const headers = { Authorization: here(overHttp.headers.Authorization) };
      const url = new URL(here(overHttp.url));
      const { call } = await openMcp(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), revision);
      assert.equal((await call('find_conversations')).data[0].id, conversation_id);
    });

    it(`connect a client of ${revision} to the program, which acts through the service`, async () => {
      const env = Object.fromEntries(Object.entries(asProgram.env as object).map(([name, text]) => [name, here(text)]));
      const program = new StdioClientTransport({
        command: asProgram.command,
        args: asProgram.args,
        env: { ...env, PATH: process.env.PATH! },
        cwd: root,
        stderr: 'pipe',
      });
      const { call, client } = await openMcp(program, revision);
      const { tools } = await client.listTools();
      assert.ok(tools.length >= 16);
      const send = { conversation_id, kind: 'text', body: 'From the program', idempotency_key: revision };
      const { id } = await call('send_message', send);
      assert.equal((await call('send_message', send)).id, id);
      await assert.rejects(call('send_message', { ...send, body: 'Another' }), /idempotency_conflict/);
      const { confirmation_token } = await call('close_conversation', { conversation_id });
      assert.equal((await call('close_conversation', { conversation_id, confirmation_token })).status, 'closed');
      await workspace.api.post(`/conversations/${conversation_id}/reopen`, {});
      const { contents } = await client.readResource({ uri: 'majlis://template/order_update' });
      assert.equal(JSON.parse((contents[0] as { text: string }).text).data[0].name, 'order_update');
    });
  }

  it('call a tool by curl', async () => {
    for (const command of blocks('sh')) {
      const env = { ...process.env, MAJLIS_KEY: workspace.key };
      const { stdout } = await promisify(execFile)('bash', ['-c', `${here(command).trim()} --silent --fail`], { env });
      assert.match(stdout, new RegExp(conversation_id));
    }
  });
});

it('majlis mcp says what it lacks', async () => {
  for (const [env, fault] of [
    [{}, /API key is missing/],
    [{ MAJLIS_KEY: workspace.key }, /address is missing/],
    [{ MAJLIS_KEY: 'wrong', MAJLIS_URL: majlis.url }, /refuses the key/],
  ] as const) {
    const { code, stderr } = await runMajlis(['mcp'], { env });
    assert.equal(code, 1);
    assert.match(stderr, fault);
  }
});
