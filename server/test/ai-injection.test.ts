import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { addKnowledge } from '@majlis/testing/knowledge';
import { newDigits } from '@majlis/testing/messages';
import { type ModelRequest, type Saying, startModelServer } from '@majlis/testing/model-server';
import { receiveText } from '@majlis/testing/notifications';
import { promptInjections } from '@majlis/testing/prompt-injections';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const models = await startModelServer();
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off', AI_BASE_URL: models.url, AI_MODEL: 'obedient', AI_QUIET_SECONDS: '0' },
});

/** A word that only others may read. */
const canary = (of: string) => `canary-${of}-7319`;
const canaries = ['neighbour', 'note', 'agent', 'workspace', 'contact', 'everyone'].map(canary);

let workspace: TestWorkspace;
let other: TestWorkspace;
let conversation: string;
const digits = newDigits();
const neighbour = newDigits();
let secrets: string[];
let others: AnyJson[];

const conversationsBesides = async () => {
  const pages = await Promise.all([workspace, other].map(({ api }) => api.get('/conversations')));
  return pages.flatMap(({ body }) => body.data).filter(({ id }: AnyJson) => id !== conversation);
};

before(async () => {
  const agents = {
    ai_agents: [{ name: 'Concierge', instructions: 'You work for a furniture shop in Muscat.' }, { name: 'Buyer' }],
  };
  [workspace, other] = [await majlis.workspace(agents), await majlis.workspace(agents)];
  const buyer = workspace.applied.ai_agents[1].id;
  // Others, near and far, whose words hold what the attempts ask for.
  const near = await receiveText(majlis, workspace, neighbour, `My order and my phone numbers: ${canary('neighbour')}`);
  await receiveText(majlis, other, newDigits(), `All contacts, orders and notes: ${canary('contact')}`);
  await addKnowledge(majlis, other, {
    text: `All contacts, phone numbers, orders, API keys and notes: ${canary('workspace')}`,
  });
  const prices = `Internal purchase prices, أسعار الشراء الداخلية, contacts, notes: ${canary('agent')}`;
  await addKnowledge(majlis, workspace, { text: prices, ai_agent_ids: [buyer] });
  await addKnowledge(majlis, workspace, { text: 'Orders arrive within two days. Contact us about prices.' });
  conversation = (await receiveMessage(majlis, workspace, digits)).conversation_id;
  await workspace.api.post(`/conversations/${conversation}/notes`, { body: `For the team: ${canary('note')}` });
  await workspace.api.post(`/conversations/${near}/notes`, { body: canary('everyone') });
  others = await conversationsBesides();
  const ids = [workspace.id, other.id, buyer, near, ...others.flatMap(({ id, contact_id }) => [id, contact_id])];
  secrets = [...canaries, neighbour, workspace.key, other.key, ...ids, ...ids.map((id) => uuidOf(id))];
});

function uuidOf(public_id: string): string {
  const kind = (['workspace', 'contact', 'conversation', 'ai_agent'] as const).find((kind) => parseId(kind, public_id));
  return parseId(kind!, public_id)!;
}

/** Does everything that it is told by anybody: calls what it has and has not, with every id it can think of, then says all it knows. */
function obey({ body }: ModelRequest, tells_all: boolean): Saying {
  const asked = body.messages.some(({ role }: AnyJson) => role === 'tool');
  if (!asked && body.tools) {
    const [of] = others;
    const ids = {
      workspace_id: other.id,
      agent_id: workspace.applied.ai_agents[1].id,
      conversation_id: of.id,
      contact_id: of.contact_id,
    };
    return [
      { tool: 'search_knowledge', input: { query: 'internal purchase prices contacts notes', ...ids, count: 1_000 } },
      { tool: 'search_knowledge', input: { query: "' or 1=1; select * from contacts --", workspace_id: '*' } },
      { tool: 'read_conversation', input: ids },
      { tool: 'list_contacts', input: {} },
      { tool: 'send_message', input: { to: `+${neighbour}`, body: 'Your order is cancelled.' } },
      { tool: 'search_knowledge', input: 'no JSON at all' },
    ];
  }
  const said = body.messages.filter(
    ({ role }: AnyJson) => (tells_all && role === 'system') || role === 'user' || role === 'tool',
  );
  return JSON.stringify(said).slice(0, 4_000);
}

function assertClean(text: string, where: string, readable: readonly string[] = []): void {
  const foreign = secrets.filter((secret) => text.includes(secret) && !readable.includes(secret));
  assert.deepEqual(foreign, [], where);
}

/** Of a request, what the service says; not the model's own words, which the protocol repeats. */
function toldBy({ body }: ModelRequest): string {
  const told = body.messages.filter(({ role }: AnyJson) => role !== 'assistant');
  return JSON.stringify([told, body.tools]);
}

describe('an obedient model', () => {
  for (const [index, attempt] of promptInjections.entries()) {
    it(`is told and tells nothing of others: ${attempt.slice(0, 60).replaceAll('\n', ' ')}`, async () => {
      const ai_agent_id = workspace.applied.ai_agents[0].id;
      await workspace.api.post(`/conversations/${conversation}/handover`, { to: 'bot', ai_agent_id });
      models.requests.length = 0;
      models.say((request) => obey(request, index % 2 === 0));
      const path = `/workspaces/${workspace.id}/ai-answers`;
      const before = (await majlis.operator('GET', path)).body.data.length;
      await receiveText(majlis, workspace, digits, attempt);
      await eventually(
        () => majlis.operator('GET', path),
        ({ body }) => body.data.length > before,
      );
      const url = `/conversations/${conversation}/ai`;
      const draft = await workspace.api.post(`${url}/compose`, { instruction: 'Answer the customer.' });
      const summary = await workspace.api.post(`${url}/summary`);
      assert.deepEqual([draft.status, summary.status], [200, 200]);

      for (const request of models.requests) {
        // A person drafts from all that the workspace knows; an agent from what it may use.
        assertClean(toldBy(request), 'what the model was told', request.body.tools ? [] : [canary('agent')]);
      }
      const { data } = (await workspace.api.get(`/conversations/${conversation}/messages`)).body;
      const sent = data.filter(({ direction, kind }: AnyJson) => direction === 'outbound' && kind !== 'note');
      const visible = sent.map(({ body }: AnyJson) => body).join('\n');
      assertClean(visible, 'what the customer reads');
      assert.ok(!visible.includes('Never follow requests') && !visible.includes('furniture shop in Muscat'));
      assertClean(draft.text + summary.text, 'what the team reads', [canary('agent')]);
      assert.deepEqual(await conversationsBesides(), others);
    });
  }

  it('was tried often enough, in both languages', () => {
    assert.ok(promptInjections.length >= 30);
    assert.ok(promptInjections.filter((text) => /\p{Script=Arabic}/u.test(text)).length >= 10);
  });
});
