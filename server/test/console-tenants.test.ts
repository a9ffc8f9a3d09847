import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type ConsoleOperation, type ConsoleOperationId, consoleOperations } from '@majlis/console-api';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { proposeText, proposing } from '@majlis/testing/proposals';
import { receiveMessage } from '@majlis/testing/receive-message';
import { schedule, scheduledPath } from '@majlis/testing/schedule-messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import { startRun } from '@majlis/testing/workflows';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

/** A workspace with an object of each kind that operations of the console name in their paths. */
interface Tenant {
  workspace: TestWorkspace;
  owner: Member;
  named: Record<string, string>;
}
let own: Tenant;
let foreign: Tenant;
before(async () => {
  [own, foreign] = [await createTenant(), await createTenant()];
});

async function createTenant(): Promise<Tenant> {
  const workspace = await majlis.workspace({ stages: [{ name: 'Lead' }] });
  const owner = await joinWorkspace(majlis, workspace);
  const { user_id } = await joinWorkspace(majlis, workspace, { role: 'agent' });
  const { conversation_id, message_id, contact_id } = await receiveMessage(majlis, workspace, newDigits());
  const make = async (path: string, body: object) => {
    const made = await owner.at('POST', path, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body;
  };
  const agent = await make('/ai-agents', { name: 'Concierge' });
  const team = await make('/teams', { name: 'Orders' });
  const category = await make('/closing-categories', { name: 'Solved' });
  const file = await make('/contact-imports', { file_name: 'people.csv', header: ['Name'], rows_total: 1 });
  const broadcast = await make('/broadcasts', {
    ...{ name: 'News', template: { name: 'order_update', language: 'en' }, send_at: '2100-01-01T00:00:00Z' },
    audience: { recipients: [{ to: `+${newDigits()}`, params: ['Muna', 'A-1'] }] },
  });
  const named = {
    ...{ ai_agent_id: agent.agent.id, agent_version: agent.version, ...(await makeSource(workspace, owner)) },
    ...{ workspace_id: workspace.id, user_id, conversation_id, message_id, contact_id, kind: 'reply' },
    scheduled_message_id: (await schedule(majlis, owner, conversation_id)).id,
    stage_id: workspace.applied.stages[0].id,
    channel_id: workspace.channel_id,
    template_id: (await owner.at('GET', '/chatapp/templates')).body.data[0].id,
    channel_version: (await owner.at('GET', '/channel-states')).body.data[0].version,
    ...(await makeDelivery(workspace)),
    view_id: (await make('/views', { name: 'Shared', shared: true, filter: {} })).id,
    canned_reply_id: (await make('/canned-replies', { name: 'shared', body: 'Hello', shared: true })).id,
    invitation_id: (await make('/invitations', { email: 'guest@acme.example', role: 'agent' })).invitation.id,
    ...{ import_id: file.id, broadcast_id: broadcast.id },
    ...{ team_id: team.team.id, team_version: team.version },
    ...{ category_id: category.id, category_version: category.version },
    stage_version: (await owner.at('GET', '/stage-entries')).body.data[0].version,
    api_key_id: (await make('/api-keys', { name: 'extra', environment: 'test', scopes: [] })).api_key.id,
  };
  const { workflow } = await make('/workflows', { name: 'Wait', definition: waiting });
  const workflow_id = workflow.id;
  const publish = { version: 1, expected_status: 'draft', status: 'published' };
  assert.equal((await owner.at('PATCH', `/workflows/${workflow_id}`, publish)).status, 200);
  const run_id = await startRun(workspace, workflow_id, { id: contact_id });
  const made = await make('/workflows', { name: 'Propose', definition: proposing });
  assert.equal((await owner.at('PATCH', `/workflows/${made.workflow.id}`, publish)).status, 200);
  const order = { contact_id, conversation_id, text: 'Hello' };
  const proposal_id = (await proposeText(workspace, owner, made.workflow.id, order)).id;
  return { workspace, owner, named: { ...named, workflow_id, run_id, proposal_id, version: '1' } };
}

/** A page, so that it can be read again. */
async function makeSource({ api }: TestWorkspace, owner: Member) {
  await api.post('/ai/knowledge-sources', { type: 'url', url: 'http://127.0.0.1:9/hours' });
  const [{ id, version }] = (await owner.at('GET', '/knowledge-sources')).body.data;
  return { knowledge_source_id: id as string, source_version: version as string };
}

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
const waiting = { trigger: 'api_call', steps: [{ do: 'wait', for: '1h' }] };
/** Parts of a path that are no ids. */
const plainNames = ['kind', 'version'];
const isPlain = (name: string) => plainNames.includes(name) || name.endsWith('_version');

/** An endpoint and an event that it got. */
async function makeDelivery(workspace: TestWorkspace): Promise<{ endpoint_id: string; event_id: string }> {
  const receiver = await startWebhookReceiver();
  const made = await workspace.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
  await receiveMessage(majlis, workspace, newDigits());
  await eventually(
    () => receiver.arrivals.length,
    (count) => count > 0,
  );
  return { endpoint_id: made.body.id, event_id: receiver.arrivals[0]!.event.id };
}

type Named = Tenant['named'];

/** A valid body of each operation that takes one and names an object in its path. */
const bodies: { [Id in ConsoleOperationId]?: (named: Named) => object | Promise<object> } = {
  changeMember: () => ({ own_teams_only: false }),
  changeWorkingHours: async () => {
    const { data } = (await own.owner.at('GET', '/working-hours')).body;
    return { version: data.find((one: AnyJson) => one.user_id === own.named.user_id).version, hours: null };
  },
  setReadMark: ({ message_id }) => ({ last_read_message_id: message_id }),
  markUnread: () => ({}),
  saveDraft: () => ({ body: 'Hello' }),
  setPresence: () => ({}),
  scheduleMessage: () => ({ content: { kind: 'text', body: 'Hello' }, send_at: tomorrow }),
  changeScheduledMessage: async () => ({ version: (await takeUpAgain()).version, send_at: tomorrow }),
  cancelScheduledMessage: async () => ({ version: (await takeUpAgain()).version }),
  restoreScheduledMessage: async () => {
    const { version } = await takeUpAgain();
    const path = scheduledPath(own.named.conversation_id!, own.named.scheduled_message_id, 'cancel');
    return { version: (await own.owner.at('POST', path, { version })).body.version };
  },
  sendScheduledMessage: async () => ({ version: (await takeUpAgain()).version }),
  acceptProposal: () => ({}),
  refuseProposal: async () => {
    // The operation before has accepted it.
    await majlis.sql(`update proposals set state = 'waiting'`);
    return {};
  },
  changeSavedView: () => ({ name: 'Changed' }),
  changeCannedReply: () => ({ body: 'Changed' }),
  recordConsent: () => ({ granted: true }),
  changeWebhookEndpoint: async () => ({
    version: (await own.owner.at('GET', `/webhook-endpoints/${own.named.endpoint_id}/state`)).body.version,
    events: ['*'],
  }),
  changeTeam: ({ team_version }) => ({ version: team_version }),
  changeStage: ({ stage_version }) => ({ version: stage_version }),
  changeClosingCategory: ({ category_version }) => ({ version: category_version, name: 'Solved' }),
  // The changes of the operations before have given it another version.
  disconnectChannel: async () => ({ version: (await own.owner.at('GET', '/channel-states')).body.data[0].version }),
  changeChannel: ({ channel_version }) => ({ version: channel_version, name: 'Changed' }),
  changeAiAgent: ({ agent_version }) => ({ version: agent_version, status: 'paused' }),
  changeKnowledgeSource: ({ source_version }) => ({ version: source_version, ai_agent_ids: null }),
  addContactImportRows: () => ({ rows: [{ line: 0, cells: ['Muna'], reason: 'invalid_phone' }] }),
  restoreConversation: () => ({ expected: {}, restored: {} }),
  saveWorkflow: () => ({ version: 1, definition: waiting }),
  switchWorkflow: () => ({ version: 1, expected_status: 'published', status: 'published' }),
  restoreWorkflowVersion: () => ({ version: 1 }),
};

/** The operations before may have changed or cancelled it. */
async function takeUpAgain(): Promise<AnyJson> {
  const path = scheduledPath(own.named.conversation_id!, own.named.scheduled_message_id);
  const { version, state } = (await own.owner.at('GET', path)).body;
  if (state === 'cancelled') await own.owner.at('POST', `${path}/restore`, { version });
  return (await own.owner.at('GET', path)).body;
}

/** Whether nothing can be done with the object afterwards. */
const isEnd = ({ method, id }: ConsoleOperation) => method === 'DELETE' || id === 'disconnectChannel';

/** Operations of a role, with the names of the objects in their paths. Deletions come last. */
const inWorkspace = (Object.values(consoleOperations) as ConsoleOperation[])
  .filter(({ audience }) => audience !== 'anyone' && audience !== 'person')
  .map((operation) => ({ operation, names: Object.keys(operation.params?.properties ?? {}) }))
  .sort((a, b) => Number(isEnd(a.operation)) - Number(isEnd(b.operation)));

const versions: { [Id in ConsoleOperationId]?: string } = {
  deleteTeam: 'team_version',
  deleteStage: 'stage_version',
  deleteClosingCategory: 'category_version',
};

async function request({ owner }: Tenant, { id, method, path, query }: ConsoleOperation, named: Named) {
  const filled = path.slice('/console/v1'.length).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    assert.ok(named[name], `name a ${name} of each workspace`);
    return named[name];
  });
  const values: Named = {
    ...{ conversation_ids: named.conversation_id!, ids: named.message_id!, days: '30' },
    source_contact_id: named.contact_id!,
    version: named[versions[id as ConsoleOperationId] ?? ''] ?? 'x',
  };
  const search = new URLSearchParams(
    (query?.required ?? []).map((name): [string, string] => [name, values[name] ?? 'x']),
  );
  const makeBody = bodies[id as ConsoleOperationId];
  const takes = method === 'GET' || method === 'DELETE' ? undefined : ((await makeBody?.(named)) ?? {});
  return owner.request(method, `${filled}?${search}`, takes);
}

describe('an operation of the console', () => {
  it('answers 404 to each id of another workspace in its path, and finds its own', async () => {
    let asked = 0;
    for (const { operation, names } of inWorkspace) {
      for (const name of names.filter((one) => one !== 'workspace_id' && !isPlain(one))) {
        const theirs = await request(own, operation, { ...own.named, [name]: foreign.named[name]! });
        assert.deepEqual([theirs.status, theirs.body?.code], [404, 'not_found'], `${operation.id} by ${name}`);
        asked++;
      }
      if (names.length > 1) {
        const { status, body } = await request(own, operation, own.named);
        assert.ok(status < 300, `${operation.id}: ${status} ${JSON.stringify(body)}`);
      }
    }
    assert.ok(asked >= 15, String(asked));
  });

  it('that lists or reads shows nothing of another workspace', async () => {
    const strange = Object.entries(foreign.named).filter(([name]) => !isPlain(name));
    let read = 0;
    for (const { operation } of inWorkspace.filter(({ operation: { method } }) => method === 'GET')) {
      const { status, body } = await request(own, operation, own.named);
      if (status >= 300) continue;
      read++;
      const text = JSON.stringify(body);
      for (const [name, id] of strange) assert.ok(!text.includes(id), `${operation.id} shows the ${name} of others`);
    }
    assert.ok(read >= 12, String(read));
    const acts = (await own.owner.at('GET', '/audit')).body.data;
    assert.ok(acts.length > 0 && acts.every(({ actor }: AnyJson) => actor.user_id === own.owner.user_id));
  });

  it('takes no id of another workspace in its body or its query', async () => {
    const { owner, named } = own;
    const { conversation_id, message_id, stage_id, contact_id, user_id, view_id } = foreign.named;
    const path = `/conversations/${named.conversation_id}`;
    const refused = [
      await owner.at('PUT', `${path}/read-mark`, { last_read_message_id: message_id }),
      await owner.at('POST', `${path}/mark-unread`, { first_unread_message_id: message_id }),
      await owner.at('POST', '/views', { name: 'Theirs', filter: { stage_id } }),
      await owner.at('POST', '/views', { name: 'Theirs', filter: { contact_id } }),
      await owner.at('POST', '/views', { name: 'Theirs', filter: { assignee_id: user_id } }),
    ];
    for (const { status, body } of refused) assert.equal(status, 422, JSON.stringify(body));
    const marks = await owner.at('GET', `/read-marks?conversation_ids=${conversation_id}`);
    assert.deepEqual(marks.body.data, []);
    assert.equal((await owner.at('GET', `/inbox?view=saved:${view_id}`)).status, 404);
    const merged = `/contacts/${named.contact_id}/merge-preview?source_contact_id=${contact_id}`;
    assert.equal((await owner.at('GET', merged)).status, 404);
    const messages = await owner.at('GET', `${path}/thread/messages?ids=${message_id}`);
    assert.deepEqual(messages.body.data, []);
  });
});
