import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { consoleOperations, mayAct, type PersonRule, personRules, type Role, roles } from '@majlis/console-api';
import { type HttpOperation, type Operation, operations } from '@majlis/contract';
import { createApi } from '@majlis/testing/api';
import { samples, uploadFile } from '@majlis/testing/media';
import { type Browser, joinWorkspace, type Member, openBrowser } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** An operation as people perform it. */
interface Entry extends Pick<HttpOperation, 'id' | 'method' | 'params' | 'query'> {
  /** Below `/console/v1`. */
  path: string;
  audience: 'anyone' | 'person' | Role;
  confirmed: boolean;
  body: unknown;
}

/** No value can be made of a format. */
function withoutFormats(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema), (name, value) => (name === 'format' ? undefined : value));
}

// Everything comes from the tables, so that a new operation is covered at once.
const own: Entry[] = Object.values<HttpOperation & { audience: Entry['audience']; confirmed?: true }>(
  consoleOperations,
).map(({ id, method, path, params, query, audience, confirmed = false, body }) => {
  const made = body && Value.Create(withoutFormats(body as TSchema));
  return {
    id,
    method,
    ...(params && { params }),
    ...(query && { query }),
    path: path.slice('/console/v1'.length),
    audience,
    confirmed,
    body: made,
  };
});
const shared: Entry[] = Object.values<Operation>(operations).flatMap(({ id, method, path, params, body, example }) => {
  const rule = (personRules as Record<string, PersonRule | undefined>)[id];
  if (!rule) return [];
  const audience = rule.least;
  const below = `/workspaces/{workspace_id}${path.slice('/v1'.length)}`;
  return [
    {
      id,
      method,
      ...(params && { params }),
      path: below,
      audience,
      confirmed: rule.confirmed === true,
      body: body && example.body,
    },
  ];
});
const all = [...own, ...shared];
const inWorkspace = all.filter(({ audience }) => audience !== 'anyone' && audience !== 'person');

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const people = {
  users: [{ name: 'Omar Ali', email: 'omar@acme.example' }],
  workflows: [{ name: 'Welcome', trigger: 'api_call' }],
};
const workspace = await majlis.workspace(people);
const other = await majlis.workspace(people);
const persons = {} as Record<Role, Member>;
for (const role of roles) persons[role] = await joinWorkspace(majlis, workspace, { role });
const foreigner = await joinWorkspace(majlis, other);
/** Of the other workspace, by the name of the parameter. */
let foreign: Record<string, string>;

const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };

before(async () => {
  foreign = await makeOneOfEach(other, foreigner);
});

async function makeOneOfEach(
  { api, channel_id, applied, id }: TestWorkspace,
  person: Member,
): Promise<Record<string, string>> {
  const { body } = await api.post('/messages', { to: '+96891234567', ...template });
  const { contact_id } = (await api.get(`/conversations/${body.conversation_id}`)).body;
  const audience = { tags: ['vip'] };
  const broadcast = {
    name: 'Sale',
    template: { name: 'spring_sale', language: 'en' },
    send_at: '2100-01-01T00:00:00Z',
    audience,
  };
  const view = { name: 'Open', shared: true, filter: { status: 'open' } };
  const canned = { name: 'hello', shared: true, body: 'Hello' };
  const key = { name: 'shop', environment: 'test', scopes: [] };
  await api.post('/ai/knowledge-sources', { type: 'url', url: 'http://127.0.0.1:9/' });
  return {
    ai_agent_id: (await person.at('POST', '/ai-agents', { name: 'Concierge' })).body.agent.id,
    knowledge_source_id: (await person.at('GET', '/knowledge-sources')).body.data[0].id,
    workspace_id: id,
    message_id: body.id,
    conversation_id: body.conversation_id,
    contact_id,
    media_id: (await uploadFile(majlis, other, samples.png)).body.id,
    channel_id,
    user_id: applied.users[0].id,
    template_id: (await api.post('/chatapp/templates', operations.createTemplate.example.body)).body.id,
    broadcast_id: (await api.post('/broadcasts', broadcast)).body.id,
    workflow_id: applied.workflows[0].id,
    endpoint_id: (await api.post('/webhook-endpoints', { url: 'http://127.0.0.1:9/', events: ['*'] })).body.id,
    ...{ kind: 'reply', view_id: (await person.at('POST', '/views', view)).body.id },
    canned_reply_id: (await person.at('POST', '/canned-replies', canned)).body.id,
    api_key_id: (await person.at('POST', '/api-keys', key)).body.api_key.id,
    invitation_id: (await person.at('POST', '/invitations', { email: 'x@acme.example', role: 'agent' })).body.invitation
      .id,
  };
}

/** A parameter without a value gets an id that names nothing. */
function perform(browser: Browser, entry: Entry, ids: Record<string, string>, headers?: Record<string, string>) {
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x');
  const isUpload = entry.id === 'uploadMedia';
  const search = new URLSearchParams((entry.query?.required ?? []).map((name): [string, string] => [name, 'x']));
  return browser.request(entry.method, `${path}?${search}`, isUpload ? {} : entry.body, headers);
}

const here = { workspace_id: workspace.id };

describe('every operation of the console', () => {
  it('is served, and to nobody without a session but signing in', async () => {
    for (const entry of all) {
      const { status, body } = await perform(openBrowser(majlis), entry, { ...foreign, ...here });
      const label = `${entry.id} ${status} ${body?.code}`;
      if (entry.audience === 'anyone') assert.ok(status < 500, label);
      else assert.deepEqual([status, body.code], [401, 'signed_out'], label);
    }
    // A route without a handler would be measured as another.
    const metrics = await (await fetch(`${majlis.url}/metrics`)).text();
    for (const { id } of own) assert.ok(metrics.includes(`operation="console.${id}"`), id);
  });

  it('takes the roles of its table', async () => {
    for (const entry of inWorkspace) {
      for (const role of roles) {
        const { status, body } = await perform(persons[role], { ...entry, body: entry.body && {} }, here);
        const label = `${role} ${entry.id} ${status} ${body?.code}`;
        assert.equal(body?.code === 'role_insufficient', !mayAct(role, entry.audience as Role), label);
        assert.ok(status < 500, label);
      }
    }
  });

  it('knows no workspace to which the person does not belong', async () => {
    for (const entry of inWorkspace) {
      const { status, body } = await perform(persons.owner, entry, foreign);
      assert.deepEqual([status, body?.code], [404, 'not_found'], entry.id);
    }
  });

  it('knows no ids of another workspace', async () => {
    for (const entry of inWorkspace.filter(
      ({ params }) => params && Object.keys(params.properties).some((name) => name !== 'workspace_id'),
    )) {
      const { status, body } = await perform(persons.owner, entry, { ...foreign, ...here });
      assert.ok(status === 404 || status === 422, `${entry.id} ${status} ${JSON.stringify(body)}`);
    }
    for (const [path, length] of [
      ['/members', 1],
      ['/api-keys', 2],
      ['/invitations', 1],
    ] as const) {
      assert.ok(
        (await foreigner.at('GET', path)).body.data.length >= length,
        `${path} of the other workspace is whole`,
      );
    }
    assert.equal((await other.api.get(`/conversations/${foreign.conversation_id}`)).body.status, 'open');
  });

  it('hides other conversations from an agent who sees the own teams alone', async () => {
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await persons.owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    const { body } = await workspace.api.post('/messages', { to: '+96891234577', ...template });
    const hidden = { ...here, conversation_id: body.conversation_id, message_id: body.id };
    const about = inWorkspace.filter(
      ({ path, audience }) => audience === 'agent' && /\{(conversation|message)_id\}/.test(path),
    );
    assert.ok(about.length > 8);
    for (const entry of about) {
      const { status } = await perform(limited, entry, hidden);
      assert.equal(status, 404, entry.id);
    }
  });

  it('refuses a page of another site', async () => {
    for (const entry of all) {
      const { status, body } = await perform(persons.owner, entry, here, { 'sec-fetch-site': 'cross-site' });
      assert.deepEqual([status, body?.code], [403, 'cross_site_request'], entry.id);
    }
  });

  it('ends with the membership', async () => {
    const leaver = await joinWorkspace(majlis, workspace, { role: 'admin' });
    await persons.owner.at('DELETE', `/members/${leaver.user_id}`);
    for (const entry of inWorkspace) assert.equal((await perform(leaver, entry, here)).status, 404, entry.id);
  });

  it('stands in its own document, and nothing of it in that of the contract', async () => {
    const document = await (await fetch(`${majlis.url}/openapi.json`)).text();
    const names = Object.keys(operations);
    assert.ok(!document.includes('/console'));
    for (const { id, path } of own) {
      if (!names.includes(id)) assert.ok(!document.includes(`"${id}"`), id);
      const below = path.replace('/workspaces/{workspace_id}', '').replaceAll(/\{\w+\}/g, 'x');
      const isContract = Object.values<Operation>(operations).some(
        (one) => one.path === `/v1${path.replace('/workspaces/{workspace_id}', '')}`,
      );
      if (!isContract) assert.equal((await createApi(majlis.url, workspace.key).get(below)).status, 404, path);
    }
  });

  // Last, since it moves the clock.
  it('asks for a recent proof of identity where its table says so', async () => {
    await majlis.advance(601);
    for (const entry of all.filter(({ audience }) => audience !== 'anyone')) {
      if (['signOut', 'endSession', 'removeMember'].includes(entry.id)) continue;
      const { status, body } = await perform(persons.owner, { ...entry, body: entry.body && {} }, here);
      assert.equal(body?.code === 'confirmation_required', entry.confirmed, `${entry.id} ${status} ${body?.code}`);
    }
  });
});
