import assert from 'node:assert/strict';
import { assertRefused } from './assert-refused.ts';
import { newDigits } from './messages.ts';
import { startTestService, type TestWorkspace, templateMessage } from './start-test-service.ts';

export const textMessage = { kind: 'text', body: 'Hello' };
const people = {
  users: [
    { name: 'Aisha Said', email: 'aisha@acme.example', role: 'admin' },
    { name: 'Omar Ali', email: 'omar@acme.example' },
  ],
  teams: [{ name: 'Sales', members: ['omar@acme.example'] }, { name: 'Care' }],
  stages: [{ name: 'New lead' }, { name: 'Customer' }],
  closing_categories: [{ name: 'Resolved' }, { name: 'Spam' }],
  ai_agents: [{ name: 'Concierge' }],
};
export const nobody = '0'.repeat(26);

/** Public ids, in the order of the file. */
type Ids = Record<'users' | 'teams' | 'stages' | 'closing_categories' | 'ai_agents', string[]>;

export const conversationPath = (id: string, action?: string) => `/conversations/${id}${action ? `/${action}` : ''}`;

/** Starts the service with two workspaces of the same people, and what acts on the conversations of the first. */
export async function startConversations() {
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const workspace = await majlis.workspace(people);
  const foreign = await majlis.workspace(people);
  const ids = idsOf(workspace);
  const foreignIds = idsOf(foreign);

  /** A conversation that began with a template, so its window is closed. */
  async function begin({ api }: TestWorkspace = workspace): Promise<string> {
    const { body } = await api.post('/messages', { to: `+${newDigits()}`, ...templateMessage });
    return body.conversation_id;
  }

  const read = async (id: string) => (await workspace.api.get(conversationPath(id))).body;
  const act = (id: string, action: string, body?: unknown) => workspace.api.post(conversationPath(id, action), body);

  async function done(id: string, action: string, body?: unknown, method = 'POST') {
    const reply = await workspace.api.request(method, conversationPath(id, action), body);
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(reply.body, await read(id));
    return reply.body;
  }

  async function assertRefusedUnchanged(id: string, action: string, body: unknown, pointer: string, method = 'POST') {
    const before = await read(id);
    const refused = assertRefused(await workspace.api.request(method, conversationPath(id, action), body));
    assert.deepEqual([...new Set(refused.errors?.map((error) => error.pointer))], [pointer]);
    assert.deepEqual(await read(id), before);
  }

  return { majlis, workspace, foreign, ids, foreignIds, begin, read, act, done, assertRefusedUnchanged };
}

function idsOf({ applied }: TestWorkspace): Ids {
  const of = (list: string) => applied[list].map(({ id }: { id: string }) => id);
  const [users, teams, stages] = [of('users'), of('teams'), of('stages')];
  return { users, teams, stages, closing_categories: of('closing_categories'), ai_agents: of('ai_agents') };
}
