import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { addKnowledge } from '@majlis/testing/knowledge';
import { listen } from '@majlis/testing/listen';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', WEBHOOK_ALLOW_PRIVATE: 'true' } });
const workspace = await majlis.workspace({ ai_agents: [{ name: 'Concierge' }, { name: 'Night' }] });
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const [concierge, night] = workspace.applied.ai_agents.map(({ id }: AnyJson) => id);

let page: string | undefined = 'We open at nine.';
const site = createServer((_, response) => {
  if (page === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${page}</p>`);
});
const url = `${await listen(site)}/hours`;

const sources = async (of: Member = admin) => (await of.at('GET', '/knowledge-sources')).body.data as AnyJson[];
const sourceOf = async (id: string) => (await sources()).find((one) => one.id === id);
const untilRead = (id: string) =>
  eventually(
    () => sourceOf(id),
    (one) => one !== undefined && one.status !== 'waiting',
  );

async function find(question: string, ai_agent_id?: string): Promise<AnyJson> {
  const { status, body } = await admin.at('POST', '/knowledge-searches', {
    question,
    ...(ai_agent_id && { ai_agent_id }),
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

describe('knowledge of administrators', () => {
  it('is listed with its state, the latest first, page by page', async () => {
    await addKnowledge(majlis, workspace, { text: 'Delivery to Salalah takes five days.' });
    const last = await addKnowledge(majlis, workspace, {
      type: 'url',
      url: `${url}/nowhere-to-be`,
      ai_agent_ids: [night],
    });
    const [first, second] = await sources();
    assert.deepEqual(
      [first!.id, first!.type, first!.status, first!.ai_agent_ids],
      [last.id, 'url', 'indexed', [night]],
    );
    assert.deepEqual([second!.type, second!.passages, second!.ai_agent_ids], ['text', 1, null]);
    const { body } = await admin.at('GET', '/knowledge-sources?limit=1');
    assert.equal(body.data.length, 1);
    const next = await admin.at('GET', `/knowledge-sources?limit=1&cursor=${encodeURIComponent(body.next_cursor)}`);
    assert.equal(next.body.data[0].id, second!.id);
    assert.equal((await admin.at('DELETE', `/knowledge-sources/${last.id}`)).status, 204);
  });

  it('is read again, and keeps what was read before where that fails', async () => {
    page = 'We open at nine.';
    const { id } = await addKnowledge(majlis, workspace, { type: 'url', url });
    page = 'We open at noon.';
    const again = await admin.at('POST', `/knowledge-sources/${id}/reindex`);
    assert.deepEqual([again.status, again.body.status], [200, 'waiting']);
    await untilRead(id);
    const texts = async () => (await find('When do you open?')).data.map(({ text }: AnyJson) => text);
    assert.deepEqual(await texts(), ['We open at noon.']);

    page = undefined;
    await admin.at('POST', `/knowledge-sources/${id}/reindex`);
    const failed = await untilRead(id);
    assert.deepEqual([failed.status, failed.error, failed.passages], ['failed', 'the page answered 404', 1]);
    assert.deepEqual(await texts(), ['We open at noon.']);
    page = 'We open at ten.';
    await admin.at('POST', `/knowledge-sources/${id}/reindex`);
    await untilRead(id);
    assert.deepEqual(await texts(), ['We open at ten.']);
    // Its words are counted once, however often it was read.
    const counts = await majlis.sql<{ passages: number }>(
      'select max(passages) as passages from knowledge_term_counts',
    );
    assert.ok(Number(counts[0]!.passages) <= 2, JSON.stringify(counts));
    await admin.at('DELETE', `/knowledge-sources/${id}`);
    assert.deepEqual(await texts(), []);
    const actions = (await admin.at('GET', '/audit')).body.data.map(({ action }: AnyJson) => action);
    for (const action of ['reindexKnowledgeSource', 'deleteKnowledgeSource'])
      assert.ok(actions.includes(action), action);
  });

  it('is no text that is read again', async () => {
    const { id } = await addKnowledge(majlis, workspace, { text: 'Sofas cost 200 rials.' });
    assert.equal((await admin.at('POST', `/knowledge-sources/${id}/reindex`)).status, 422);
  });

  it('is found by the agents that may use it, as chosen by whoever saw the choice', async () => {
    const { id } = await addKnowledge(majlis, workspace, { text: 'The warranty lasts two years.' });
    const { version } = await sourceOf(id);
    const found = async (agent?: string) => (await find('How long is the warranty?', agent)).data.length;
    assert.deepEqual([await found(), await found(concierge), await found(night)], [1, 1, 1]);
    const path = `/knowledge-sources/${id}`;
    const changed = await admin.at('PATCH', path, { version, ai_agent_ids: [concierge] });
    assert.deepEqual([changed.status, changed.body.ai_agent_ids], [200, [concierge]]);
    assert.deepEqual([await found(), await found(concierge), await found(night)], [1, 1, 0]);
    const late = await admin.at('PATCH', path, { version, ai_agent_ids: null });
    assert.equal(late.body.code, 'changed_meanwhile');
    const unknown = await admin.at('PATCH', path, { version: changed.body.version, ai_agent_ids: ['ai_x'] });
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/ai_agent_ids/0']);
    assert.equal((await admin.at('PATCH', path, { version: changed.body.version, ai_agent_ids: null })).status, 200);
    assert.equal(await found(night), 1);
  });

  it('says what an agent without a model would quote', async () => {
    await addKnowledge(majlis, workspace, { text: 'Parking is free behind the shop.' });
    const sure = await find('Is parking free?');
    assert.deepEqual([sure.quotes, sure.by_meaning], [true, false]);
    assert.match(sure.data[0].text, /Parking is free/);
    assert.ok(sure.data[0].coverage > 0.5);
    const unsure = await find('Is parking allowed for trucks with a very large trailer overnight?');
    assert.equal(unsure.quotes, false);
    const elsewhere = await majlis.workspace({ ai_agents: [{ name: 'Concierge' }] });
    for (const ai_agent_id of ['ai_x', elsewhere.applied.ai_agents[0].id]) {
      const other = await admin.at('POST', '/knowledge-searches', { question: 'x', ai_agent_id });
      assert.deepEqual([other.status, other.body.errors[0].pointer], [422, '/ai_agent_id']);
    }
  });

  it('is nobody else’s', async () => {
    const stranger = await joinWorkspace(majlis, await majlis.workspace(), { role: 'owner' });
    const [{ id }] = (await sources()) as [AnyJson];
    assert.deepEqual(await sources(stranger), []);
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/reindex'],
    ] as const) {
      assert.equal((await stranger.at(method, `/knowledge-sources/${id}${path}`)).status, 404);
    }
    assert.ok(await sourceOf(id));
  });
});
