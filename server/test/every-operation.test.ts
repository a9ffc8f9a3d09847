import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import {
  commonRefusals,
  ErrorBody,
  type ErrorCode,
  errors,
  type Operation,
  type OperationId,
  operations,
} from '@majlis/contract';
import { createApi, type Reply } from '@majlis/testing/api';
import { samples, uploadFile } from '@majlis/testing/media';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { findBindingFault, readTenantTables } from '@majlis/testing/tenants/check-bindings';
import { recordTexts } from '@majlis/testing/tenants/record-texts';
import { Value } from 'typebox/value';

const texts = recordTexts();
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const all: Operation[] = Object.values(operations);

const template = {
  kind: 'template',
  template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1042'] },
};
const broadcast = { name: 'Sale', template: { name: 'spring_sale', language: 'en' }, send_at: '2100-01-01T00:00:00Z' };
const unknown = '00000000000000000000000000';
const people = {
  users: [{ name: 'Omar Ali', email: 'omar@acme.example' }],
  teams: [{ name: 'Sales', members: ['omar@acme.example'] }],
  stages: [{ name: 'Customer' }],
  ai_agents: [{ name: 'Concierge' }],
  workflows: [{ name: 'Welcome', trigger: 'api_call' }],
};

let workspace: TestWorkspace;
/** Of another workspace: for the first they name nothing. */
let foreign: Record<string, string>;
let own: Record<string, string>;

before(async () => {
  workspace = await majlis.workspace(people);
  own = await makeOneOfEach(workspace);
  foreign = await makeOneOfEach(await majlis.workspace(people));
});

const templateNamed = (name: string) => ({ ...operations.createTemplate.example.body, name });

/** Makes one of each resource that operations take by id; by the name of the path parameter. */
async function makeOneOfEach(of: TestWorkspace): Promise<Record<string, string>> {
  const { api, channel_id, applied } = of;
  const { body } = await api.post('/messages', { to: '+96891234567', ...template });
  // One that is deleted on the way; sends use the templates of the file.
  const template_id = (await api.post('/chatapp/templates', templateNamed('short_lived'))).body.id;
  const user_id = applied.users[0].id;
  const { id: message_id, conversation_id } = body;
  const { contact_id } = (await api.get(`/conversations/${conversation_id}`)).body;
  const media_id = (await uploadFile(majlis, of, samples.png)).body.id;
  const workflow_id = applied.workflows[0].id;
  const broadcast_id = (await api.post('/broadcasts', { ...broadcast, audience: { tags: ['vip'] } })).body.id;
  const { endpoint_id } = await makeEndpoint(api);
  return {
    message_id,
    conversation_id,
    contact_id,
    media_id,
    channel_id,
    user_id,
    template_id,
    broadcast_id,
    workflow_id,
    endpoint_id,
  };
}

/** Nobody listens there: a test call is answered with a failed attempt. */
async function makeEndpoint(api: TestWorkspace['api']): Promise<{ endpoint_id: string }> {
  const { body } = await api.post('/webhook-endpoints', { url: 'http://127.0.0.1:9/events', events: ['*'] });
  return { endpoint_id: body.id };
}

async function makeContact(to: string): Promise<{ contact_id: string }> {
  const { body } = await workspace.api.post('/messages', { to, ...template });
  const { contact_id } = (await workspace.api.get(`/conversations/${body.conversation_id}`)).body;
  return { contact_id };
}

async function makeConversation(): Promise<{ conversation_id: string }> {
  const { body } = await workspace.api.post('/messages', { to: '+96891234505', ...template });
  return { conversation_id: body.conversation_id };
}

/** Calls the operation with these ids, and with the body of its example where none is given. */
function call(
  { api }: TestWorkspace,
  operation: Operation,
  ids: Record<string, string>,
  body?: unknown,
): Promise<Reply> {
  return api.request(operation.method, urlOf(operation, ids), body ?? (operation.body && operation.example.body));
}

/** Below `/v1`. */
function urlOf({ path }: Operation, ids: Record<string, string>): string {
  return path.slice('/v1'.length).replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? `${name}-${unknown}`);
}

/** Success of each operation, in its own words. */
const successes: Record<OperationId, () => Promise<Reply>> = {
  sendMessage: () => call(workspace, operations.sendMessage, own),
  getMessage: () => call(workspace, operations.getMessage, own),
  listConversationMessages: () => call(workspace, operations.listConversationMessages, own),
  sendConversationMessage: () => call(workspace, operations.sendConversationMessage, own, template),
  listTemplates: () => call(workspace, operations.listTemplates, own),
  createTemplate: () => call(workspace, operations.createTemplate, own, templateNamed('order_shipped')),
  getTemplate: () => call(workspace, operations.getTemplate, own),
  deleteTemplate: () => call(workspace, operations.deleteTemplate, own),
  listConversations: () => call(workspace, operations.listConversations, own),
  getConversation: () => call(workspace, operations.getConversation, own),
  assignConversation: () => call(workspace, operations.assignConversation, own, { assignee_id: own.user_id }),
  closeConversation: () => call(workspace, operations.closeConversation, own, { summary: 'Done.' }),
  reopenConversation: () => call(workspace, operations.reopenConversation, own),
  setConversationStage: () =>
    call(workspace, operations.setConversationStage, own, { stage_id: workspace.applied.stages[0].id }),
  handOverConversation: () => call(workspace, operations.handOverConversation, own, { to: 'human' }),
  snoozeConversation: () => call(workspace, operations.snoozeConversation, own, { until: '2100-01-01T00:00:00Z' }),
  addConversationNote: () => call(workspace, operations.addConversationNote, own),
  listWorkflows: () => call(workspace, operations.listWorkflows, own),
  setWorkflowStatus: () => call(workspace, operations.setWorkflowStatus, own),
  startWorkflowRun: async () => {
    await call(workspace, operations.setWorkflowStatus, own, { status: 'published' });
    return call(workspace, operations.startWorkflowRun, own);
  },
  listBroadcasts: () => call(workspace, operations.listBroadcasts, own),
  createBroadcast: () =>
    call(workspace, operations.createBroadcast, own, { ...broadcast, audience: { tags: ['vip'] } }),
  getBroadcast: () => call(workspace, operations.getBroadcast, own),
  cancelBroadcast: () => call(workspace, operations.cancelBroadcast, own),
  composeReply: async () => call(workspace, operations.composeReply, await makeConversation()),
  summarizeConversation: async () => call(workspace, operations.summarizeConversation, await makeConversation()),
  addKnowledgeSource: () =>
    call(workspace, operations.addKnowledgeSource, own, { type: 'text', text: 'We open at 9.' }),
  listAiAgents: () => call(workspace, operations.listAiAgents, own),
  listUsers: () => call(workspace, operations.listUsers, own),
  setUserAvailability: () => call(workspace, operations.setUserAvailability, own),
  listTeams: () => call(workspace, operations.listTeams, own),
  listContacts: () => call(workspace, operations.listContacts, own),
  upsertContact: () => {
    const identities = [{ channel_type: 'chatapp', identifier: '+96891234504' }];
    return call(workspace, operations.upsertContact, own, { name: 'Muna', identities });
  },
  importContacts: () => call(workspace, operations.importContacts, own),
  getContact: () => call(workspace, operations.getContact, own),
  updateContact: () => call(workspace, operations.updateContact, own),
  listCustomFields: () => call(workspace, operations.listCustomFields, own),
  createCustomField: () => call(workspace, operations.createCustomField, own),
  listTags: () => call(workspace, operations.listTags, own),
  listStages: () => call(workspace, operations.listStages, own),
  deleteContact: async () => call(workspace, operations.deleteContact, await makeContact('+96891234501')),
  mergeContact: async () => {
    const source_contact_id = (await makeContact('+96891234502')).contact_id;
    return call(workspace, operations.mergeContact, await makeContact('+96891234503'), { source_contact_id });
  },
  uploadMedia: () => uploadFile(majlis, workspace, samples.png),
  downloadMedia: () => call(workspace, operations.downloadMedia, own),
  getAnalyticsOverview: () => call(workspace, operations.getAnalyticsOverview, own),
  getConversationAnalytics: () => workspace.api.get('/analytics/conversations?from=2026-11-01&to=2026-11-30'),
  getMessageAnalytics: () => workspace.api.get('/analytics/messages?from=2026-11-01&to=2026-11-30'),
  getWallet: () => call(workspace, operations.getWallet, own),
  getUsage: () => workspace.api.get('/usage?from=2026-11-01&to=2026-11-30'),
  getKey: () => call(workspace, operations.getKey, own),
  getWorkspace: () => call(workspace, operations.getWorkspace, own),
  listChannels: () => call(workspace, operations.listChannels, own),
  getChannel: () => call(workspace, operations.getChannel, own),
  listWebhookEndpoints: () => call(workspace, operations.listWebhookEndpoints, own),
  createWebhookEndpoint: () => call(workspace, operations.createWebhookEndpoint, own),
  updateWebhookEndpoint: () => call(workspace, operations.updateWebhookEndpoint, own, { events: ['*'] }),
  deleteWebhookEndpoint: async () =>
    call(workspace, operations.deleteWebhookEndpoint, await makeEndpoint(workspace.api)),
  testWebhookEndpoint: async () => call(workspace, operations.testWebhookEndpoint, await makeEndpoint(workspace.api)),
  listWebhookDeliveries: async () =>
    call(workspace, operations.listWebhookDeliveries, await makeEndpoint(workspace.api)),
};

function assertHeaders({ headers }: Reply): void {
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    assert.match(headers.get(name) ?? 'missing', /^\d+$/, name);
  }
}

function assertRefusal(reply: Reply, code: ErrorCode): void {
  assert.equal(reply.status, errors[code].status, reply.text);
  assert.match(reply.headers.get('content-type')!, /^application\/json\b/);
  assert.ok(Value.Check(ErrorBody, reply.body), reply.text);
  assert.deepEqual([reply.body.code, reply.body.status, reply.body.title], [code, reply.status, errors[code].title]);
  assertHeaders(reply);
}

for (const operation of all) {
  const { id, method, path } = operation;
  describe(`${method} ${path}`, () => {
    it('answers 401 without a key', async () => {
      const stranger = { ...workspace, api: createApi(majlis.url, '') };
      const reply = await call(stranger, operation, own);
      assertRefusal(reply, 'unauthorized');
      assert.match(reply.headers.get('www-authenticate')!, /^Bearer\b/);
    });

    it(`answers ${operation.reply.status} in the shape of its schema`, async () => {
      const reply = await successes[id as OperationId]();
      assert.equal(reply.status, operation.reply.status, reply.text);
      assertHeaders(reply);
      // Raw bytes have no schema.
      if (operation.reply.content_type) return assert.equal(reply.headers.get('content-type'), 'image/png');
      if (!operation.reply.body) return assert.equal(reply.text, '');
      assert.match(reply.headers.get('content-type')!, /^application\/json\b/);
      assert.deepEqual([...Value.Errors(operation.reply.body, reply.body)], []);
    });

    if (operation.params) {
      it('answers 404 for the id of another workspace as for one that nobody has', async () => {
        const reply = await call(workspace, operation, foreign);
        assertRefusal(reply, 'not_found');
        for (const name of Object.keys(operation.params!.properties)) {
          for (const nobody of malformed(foreign[name]!)) {
            const other = await call(workspace, operation, { ...own, [name]: nobody });
            assert.deepEqual([other.status, other.text], [404, reply.text], nobody);
          }
        }
      });
    }

    it('refuses with the codes that the contract lists for it', async () => {
      const published = new Set<string>([...operation.refusals, ...commonRefusals]);
      const unscoped = await majlis.workspace({ api_keys: [{ name: 'without scopes' }] });
      const bodies =
        method === 'GET' ? [] : ['{', {}, { kind: 7 }, { ...template, template: { name: 'x', language: 'y' } }];
      const replies = [
        await call(unscoped, operation, own),
        await call(workspace, operation, foreign),
        await workspace.api.request(method, `${urlOf(operation, own)}?limit=0&cursor=x`),
      ];
      for (const body of bodies) replies.push(await call(workspace, operation, own, body));
      for (const { status, body, text } of replies) {
        if (status !== operation.reply.status) assert.ok(published.has(body.code), text);
      }
    });
  });
}

describe('the table of operations', () => {
  it('is walked with a success for each operation', () => {
    assert.deepEqual(Object.keys(successes).sort(), all.map(({ id }) => id).sort());
  });

  it('answers 405 with the methods in Allow to every other method of a path that is served', async () => {
    for (const path of new Set(all.map((operation) => operation.path))) {
      const methods: string[] = all.filter((operation) => operation.path === path).map(({ method }) => method);
      if (methods.includes('GET')) methods.push('HEAD');
      const url = path.slice('/v1'.length).replaceAll(/\{(\w+)\}/g, (_, name) => own[name]!);
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND']) {
        if (methods.includes(method)) continue;
        const reply = await workspace.api.request(method, url, method === 'PUT' ? '{' : undefined);
        assert.equal(reply.status, 405, `${method} ${path}`);
        assert.deepEqual(reply.headers.get('allow')?.split(', ').sort(), methods.sort());
        assertHeaders(reply);
        if (method !== 'HEAD') assertRefusal(reply, 'method_not_allowed');
      }
    }
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const path of ['/me', `/messages/${own.message_id}`, `/messages/msg_${unknown}`]) {
      const [get, head] = [await workspace.api.get(path), await workspace.api.request('HEAD', path)];
      assert.deepEqual([head.status, head.text], [get.status, '']);
      assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
    }
  });

  it('answers 404 to a path that nobody knows, with a key, and 401 without one', async () => {
    const stranger = createApi(majlis.url, '');
    for (const path of ['', '/', '/nowhere', '/me/', '/Me', '/messages/', '/me;x', '/%zz', '/%00']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        assertRefusal(await workspace.api.request(method, path), 'not_found');
        assertRefusal(await stranger.request(method, path), 'unauthorized');
      }
    }
  });

  it('answers 404 to what is coming soon where COMING_SOON is off', async () => {
    const without = await majlis.another({ COMING_SOON: 'off' });
    const api = createApi(without.url, workspace.key);
    for (const operation of all.filter(({ label }) => label === 'Coming soon')) {
      assertRefusal(await call({ ...workspace, api }, operation, own), 'not_found');
    }
    assert.equal((await api.get('/me')).status, 200);
    await without.stop();
  });

  it('names in the metrics its operations and the door of the platform alone, whatever was asked for', async () => {
    await workspace.api.get('/nowhere/canary-path');
    const metrics = await (await fetch(`${majlis.url}/metrics`)).text();
    const named = new Set(
      [...metrics.matchAll(/ operation="([^"]*)"|\{operation="([^"]*)"/g)].map((m) => m[1] ?? m[2]!),
    );
    assert.ok(named.size > all.length);
    for (const name of named) assert.ok(['other', 'platform_webhook'].includes(name) || name in operations, name);
    assert.ok(!metrics.includes('canary') && !metrics.includes(workspace.id));
  });
});

describe('the statements of all these requests', () => {
  it('bind the workspace in each of their joins, those that a request puts together too', async () => {
    const stage_id = workspace.applied.stages[0].id;
    for (const filter of ['', 'q=mu&', 'q=muna&', 'tag=vip&', `stage_id=${stage_id}&`, 'channel_type=chatapp&']) {
      for (const other of ['', 'tag=new', 'status=open', 'assignee_id=none', `contact_id=${own.contact_id}`]) {
        await workspace.api.get(`/conversations?${filter}${other}`);
        await workspace.api.get(`/contacts?${filter}${other.startsWith('tag') ? other : ''}`);
      }
    }
    const tables = readTenantTables(readFileSync('server/src/database/schema.sql', 'utf8'));
    const faulty = [];
    for (const text of texts) if (await findBindingFault(text, tables)) faulty.push(text);
    assert.deepEqual(faulty, []);
    assert.ok(texts.size > 150, `${texts.size} statements`);
  });
});

/** Ids that name nothing: unknown, of another kind, cut, stretched, in other letters, and texts that are no ids. */
function malformed(id: string): string[] {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  const zero = `${prefix}_${'0'.repeat(26)}`;
  return [
    ...[
      zero,
      `${prefix}_7zzzzzzzzzzzzzzzzzzzzzzzzz`,
      `${prefix}_8${zero.slice(-25)}`,
      `xx_${unknown}`,
      `evt_${id.slice(-26)}`,
    ],
    ...[id.slice(0, -1), `${id}0`, id.toUpperCase(), id.slice(prefix.length + 1), prefix, `${prefix}_`],
    ...[`${prefix}_${'u'.repeat(26)}`, `${prefix}_${'ı'.repeat(26)}`, '00000000-0000-0000-0000-000000000000'],
    ...[
      '%00',
      '%20',
      '%0a',
      '%2e%2e%2f',
      '%zz',
      '%c3%28',
      '%ff',
      "'",
      '%27%3b--',
      '{id}',
      '*',
      'null',
      '0',
      '-1',
      '__proto__',
    ],
    ...['x'.repeat(512), 'x'.repeat(513), 'x'.repeat(10_000), encodeURIComponent('مجلس')],
  ];
}
