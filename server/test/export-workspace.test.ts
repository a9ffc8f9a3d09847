import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { operatorToken } from '@majlis/testing/operator';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { setRetention } from '@majlis/testing/retention';
import { makeFolder, runMajlis } from '@majlis/testing/start-process';
import { startTestService, type TestService, toPlatform } from '@majlis/testing/start-test-service';
import { parse, stringify } from 'yaml';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const elsewhere = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({
  prices: { utility: 10, marketing: 30 },
  rates: [{ category: 'utility', country: 'OM', from: '2026-01-01', fee_minor: 12 }],
  allowances: [{ category: 'service', messages: 1000 }],
  csat_text: 'How was it?',
});
const admin = await joinWorkspace(majlis, workspace, { role: 'admin', name: 'Aisha Nasser' });
const limited = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Omar Ali' });
const folder = await makeFolder();

const run = (service: TestService, args: string[]) =>
  runMajlis([...args, '--url', service.url], { env: { OPERATOR_TOKEN: operatorToken } });

async function exportFrom(service: TestService, name: string): Promise<{ text: string; file: AnyJson }> {
  const output = path.join(folder, `${Math.random()}.yaml`);
  const { code, stderr } = await run(service, ['export-workspace', '--workspace', name, '-o', output]);
  assert.equal(code, 0, stderr);
  const text = await readFile(output, 'utf8');
  return { text, file: parse(text) };
}

/** What an administrator makes in the console. */
async function makeDesk(): Promise<void> {
  const make = async (method: string, at: string, body: object) => {
    const answer = await admin.at(method, at, body);
    assert.ok(answer.status < 300, `${at}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { version } = await admin.at('GET', '/business-hours').then(({ body }) => body);
  const workday = [{ from: '09:00', until: '17:00' }];
  const hours = {
    weekly: [workday, workday, workday, workday, workday, [], []],
    closed_days: [{ date: '2026-12-18', name: 'National Day' }],
    away_message: 'We answer tomorrow.',
  };
  await make('PUT', '/business-hours', { version, hours });
  await setRetention(admin, 365);
  await make('POST', '/custom-fields', { key: 'branch', label: 'Branch', type: 'select', options: ['Seeb', 'Mutrah'] });
  for (const name of ['Lead', 'Customer']) await make('POST', '/stages', { name, emoji: '🌱' });
  await make('POST', '/closing-categories', { name: 'Solved' });
  await make('POST', '/teams', { name: 'Orders', member_ids: [admin.user_id] });
  await make('POST', '/canned-replies', { name: 'hello', body: 'Hello {{contact.name}}', shared: true });
  await make('POST', '/canned-replies', { name: 'mine', body: 'Of one person alone' });
  await make('POST', '/api-keys', { name: 'shop', environment: 'live', scopes: ['contacts:read'] });
  await make('POST', '/webhook-endpoints', {
    url: 'http://127.0.0.1:9/events',
    events: ['*'],
    description: 'The shop',
    event_data: 'full',
  });
  const { body: stages } = await admin.at('GET', '/stages');
  const { data: teams } = (await admin.at('GET', '/teams')).body;
  const [lead] = stages;
  const filter = { stage_id: lead.id, team_id: teams[0].id, assignee_id: limited.user_id, status: 'open' };
  await make('POST', '/views', { name: 'Orders of Omar', shared: true, filter });
  // Two may have one name.
  for (const tag of ['vip', 'new']) {
    await make('POST', '/views', { name: 'Mine', shared: true, filter: { tag, assignee_id: 'me' } });
  }
  await make('POST', '/views', { name: 'Of one person alone', filter: {} });
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const { contact_id } = (await admin.at('GET', `/conversations/${conversation_id}`)).body;
  await make('POST', '/views', { name: 'Of one customer', shared: true, filter: { contact_id } });
  const gone = await make('POST', '/stages', { name: 'Gone' });
  await make('POST', '/views', { name: 'Of what is gone', shared: true, filter: { stage_id: gone.id } });
  assert.equal((await admin.at('DELETE', `/stages/${gone.id}?version=${gone.version}`)).status, 204);
  await make('PATCH', '/consent-settings', { stop_words: ['kafi'], start_words: ['marhaba'] });
  await make('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
  const { data: people } = (await admin.at('GET', '/working-hours')).body;
  const own = people.find(({ user_id }: AnyJson) => user_id === limited.user_id);
  const working = { version: own.version, hours: { weekly: hours.weekly } };
  await make('PUT', `/members/${limited.user_id}/working-hours`, working);
  await make('POST', '/ai-agents', { name: 'Concierge', monthly_credits: 300, proposes: true });
  const call = { do: 'call', url: 'http://127.0.0.1:9/', headers: { authorization: 'canary-header' } };
  await make('POST', '/workflows', { name: 'Ask the shop', definition: { trigger: 'api_call', steps: [call] } });
}

describe('the export of a workspace', () => {
  it('has what people made in the console, and applied elsewhere it makes the same', async () => {
    await makeDesk();
    const { name } = workspace.applied.workspace;
    const { text, file } = await exportFrom(majlis, name);
    for (const list of ['stages', 'closing_categories', 'teams', 'custom_fields', 'canned_replies', 'workflows']) {
      assert.ok(file[list]?.length > 0, `${list} in ${text}`);
    }
    assert.deepEqual(
      file.canned_replies.map((reply: AnyJson) => reply.name),
      ['hello'],
    );
    assert.equal(file.business_hours.away_message, 'We answer tomorrow.');
    assert.deepEqual(file.retention, { conversation_days: 365 });
    assert.deepEqual(file.consent_words, { stop_words: ['kafi'], start_words: ['marhaba'] });
    const { email, working_hours } = file.users.find((user: AnyJson) => user.own_teams_only);
    assert.deepEqual(working_hours, { weekly: file.business_hours.weekly });
    assert.deepEqual(file.saved_views, [
      { name: 'Orders of Omar', filter: { status: 'open', assignee: email, stage: 'Lead', team: 'Orders' } },
      { name: 'Mine', filter: { tag: 'vip', assignee: 'me' } },
      { name: 'Mine', filter: { tag: 'new', assignee: 'me' } },
    ]);
    const [agent] = file.ai_agents.filter(({ name }: AnyJson) => name === 'Concierge');
    assert.deepEqual([agent.monthly_credits, agent.proposes], [300, true]);

    // No secret, and the places in which to fill them in.
    const { body: keys } = await admin.at('GET', '/api-keys');
    const secrets = [workspace.access_token, workspace.app_secret, workspace.key, 'canary-header', 'whsec_', 'sealed('];
    for (const secret of [...secrets, ...keys.data.map((key: AnyJson) => key.key_prefix)]) {
      assert.ok(!text.includes(secret), `${secret} in ${text}`);
    }
    for (const place of ['/channels/0/access_token', '/workflows/0: the values of 1 headers']) {
      assert.ok(text.includes(place), text);
    }

    // Another installation, whose platform knows the number.
    const { waba_id, phone_number_id, display_phone, verified_name } = file.channels[0];
    const access = {
      access_token: 'token-elsewhere',
      app_secret: 'app-secret-elsewhere',
      verify_token: 'verify-elsewhere',
    };
    elsewhere.simulator.addNumber({
      ...{ waba_id, phone_number_id, display_phone, verified_name, access_token: access.access_token },
    });
    for (const template of file.templates) elsewhere.simulator.addTemplate(toPlatform(waba_id, template));
    const filled = path.join(folder, 'filled.yaml');
    await writeFile(filled, stringify({ ...file, channels: [{ ...file.channels[0], ...access }] }));
    const applied = await run(elsewhere, ['apply', '-f', filled]);
    assert.equal(applied.code, 0, applied.stderr);
    assert.ok(!applied.stderr.includes('means nothing'), applied.stderr);
    const again = await eventually(
      () => exportFrom(elsewhere, name),
      (one) => one.file.templates?.length === file.templates.length,
    );
    assert.deepEqual(again.file, file);
  });

  it('changes nothing where it comes from', async () => {
    const { name } = workspace.applied.workspace;
    const { file } = await exportFrom(majlis, name);
    const same = path.join(folder, 'same.yaml');
    await writeFile(same, stringify({ ...file, workflows: undefined }));
    const { code, stdout, stderr } = await run(majlis, ['apply', '-f', same]);
    assert.equal(code, 0, stderr);
    assert.ok(!stdout.includes('kept as people changed it'), stdout);
    assert.deepEqual((await exportFrom(majlis, name)).file, file);
  });

  it('keeps what people changed since, and says so', async () => {
    const { name } = workspace.applied.workspace;
    const working_hours = { weekly: Array.from({ length: 7 }, () => []) };
    const body = {
      workspace: { name },
      canned_replies: [{ name: 'hello', body: 'Hi' }],
      consent_words: { stop_words: ['enough'] },
      saved_views: [{ name: 'Mine', filter: { tag: 'old' } }],
      ai_agents: [{ name: 'Concierge', monthly_credits: null }],
      users: [{ name: 'Omar Ali', email: limited.email, own_teams_only: false, working_hours }],
      custom_fields: [{ key: 'branch', label: 'Place', type: 'select', options: ['Seeb', 'Mutrah'] }],
      webhook_endpoints: [{ url: 'http://127.0.0.1:9/events', events: ['message.received'] }],
    };
    const { status, body: applied } = await majlis.operator('PUT', '/workspaces', body);
    assert.equal(status, 200, JSON.stringify(applied));
    assert.deepEqual(
      applied.kept.map(({ member, value: _value, in_file: _in_file, ...entry }: AnyJson) => [
        ...Object.values(entry),
        member,
      ]),
      [
        ['branch', 'label'],
        ['hello', 'body'],
        ['words', 'stop_words'],
        [limited.email, 'own_teams_only'],
        [limited.email, 'working_hours'],
        ['Mine', 'filter'],
        ['Concierge', 'monthly_credits'],
        ['http://127.0.0.1:9/events', 'events'],
      ],
    );
    const unknown = { workspace: { name }, saved_views: [{ name: 'Night', filter: { team: 'Nobody' } }] };
    const unnamed = await majlis.operator('PUT', '/workspaces', unknown);
    assert.deepEqual([unnamed.status, unnamed.body.errors[0].pointer], [422, '/saved_views/0/filter/team']);
    const faulty = { workspace: { name }, canned_replies: [{ name: 'a b', body: '' }] };
    const refused = await majlis.operator('PUT', '/workspaces', faulty);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/canned_replies/0/name']);
  });

  it('is refused for a workspace that does not exist', async () => {
    const { code, stderr } = await run(majlis, ['export-workspace', '--workspace', 'Nowhere']);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /No workspace is called "Nowhere"/);
  });
});
