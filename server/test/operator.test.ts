import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const put = (file: object) => majlis.operator('PUT', '/workspaces', file);

function fileOf(name: string, number: string) {
  return {
    workspace: { name, industry: 'retail', country: 'OM', timezone: 'Asia/Muscat', language: 'ar', plan: 'growth' },
    wallet: { balance_minor: 500000, currency: 'OMR' },
    channels: [
      {
        type: 'chatapp',
        name: 'Support',
        display_phone: '+96880000001',
        verified_name: name,
        waba_id: '100200',
        phone_number_id: number,
        access_token: 'canary-access-token',
        app_secret: 'canary-app-secret',
        verify_token: 'canary-verify-token',
        messaging_tier: 1000,
      },
    ],
    stages: [
      { name: 'New lead', emoji: '🌱' },
      { name: 'Customer', emoji: '⭐' },
    ],
    closing_categories: [{ name: 'Resolved' }],
    users: [
      { name: 'Aisha Said', email: 'aisha@acme.example', role: 'admin' },
      { name: 'Omar Ali', email: 'omar@acme.example', role: 'agent' },
    ],
    teams: [{ name: 'Sales', members: ['omar@acme.example'] }],
    ai_agents: [{ name: 'Concierge', languages: ['ar', 'en'] }],
    workflows: [
      { name: 'Welcome', status: 'published', trigger: 'api_call', steps: [{ do: 'send_message', text: 'Hello' }] },
    ],
    api_keys: [{ name: 'backend', environment: 'test', scopes: ['messages:write', 'contacts:read'] }],
  };
}

/** Every row of these tables as text: equal before and after means that nothing was written. */
async function everything(): Promise<unknown[]> {
  const tables = [
    'workspaces',
    'wallets',
    'channels',
    'stages',
    'closing_categories',
    'users',
    'teams',
    'team_members',
  ];
  const rows = [];
  for (const table of [...tables, 'ai_agents', 'workflows', 'templates', 'api_keys']) {
    rows.push(await majlis.sql(`select xmin::text, ctid::text, t::text from ${table} t order by t::text`));
  }
  return rows;
}

describe('the door of the operator', () => {
  it('opens to the operator token alone: 401 with a code', async () => {
    const calls = ['/workspaces', '/clock', '/nowhere'].flatMap((path) => [
      path,
      `${path}?token=operator-token-of-the-tests`,
    ]);
    for (const path of calls) {
      for (const authorization of [
        undefined,
        'Bearer',
        'Bearer operator-token-of-the-test',
        'Bearer operator-token-of-the-testS',
        'Basic operator-token-of-the-tests',
      ]) {
        const method = path.startsWith('/workspaces') ? 'PUT' : 'GET';
        const headers = authorization === undefined ? {} : { authorization };
        const response = await fetch(`${majlis.url}/operator${path}`, { method, headers });
        assert.equal(response.status, 401, `${method} ${path}`);
        assert.equal(response.headers.get('www-authenticate'), 'Bearer');
        const { code, detail } = (await response.json()) as Record<string, string>;
        assert.deepEqual([code, detail], ['unauthorized', 'The operator token is missing or wrong.']);
      }
    }
  });

  it('answers 404 for what it does not have, and says what that is', async () => {
    const { status, body } = await majlis.operator('GET', '/nowhere');
    assert.deepEqual([status, body.detail], [404, 'The API of the operator has no such path.']);
    const { id } = await majlis.workspace();
    const nobody = `/workspaces/ws_${'0'.repeat(26)}`;
    const broadcast = `/broadcasts/bc_${'0'.repeat(26)}/recipients`;
    for (const list of [broadcast, '/workflow-runs', '/knowledge-sources', '/ai-answers']) {
      const refused = await majlis.operator('GET', nobody + list);
      assert.deepEqual([refused.status, refused.body.detail], [404, 'There is no such workspace.'], list);
    }
    const refused = await majlis.operator('GET', `/workspaces/${id}${broadcast}`);
    assert.deepEqual([refused.status, refused.body.detail], [404, 'There is no such broadcast.']);
    assert.deepEqual((await majlis.operator('GET', `/workspaces/${id}/ai-answers`)).body, {
      data: [],
      has_more: false,
    });
  });
});

describe('a workspace file', () => {
  it('makes the workspace and answers its lists with ids, and new keys in full', async () => {
    const file = fileOf('Acme', '300400');
    const { status, body } = await put(file);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), [
      ...['workspace', 'channels', 'stages', 'closing_categories', 'users', 'teams', 'ai_agents', 'workflows'],
      'api_keys',
    ]);
    assert.match(body.workspace.id, /^ws_[0-9a-z]{26}$/);
    assert.equal(body.workspace.name, 'Acme');
    assert.match(body.channels[0].id, /^ch_wa_[0-9a-z]{26}$/);
    assert.equal(body.channels[0].phone_number_id, '300400');
    assert.deepEqual(
      body.stages.map(({ name }: { name: string }) => name),
      ['New lead', 'Customer'],
    );
    assert.match(body.stages[0].id, /^[0-9a-z]{26}$/);
    assert.deepEqual(
      body.users.map(({ email }: { email: string }) => email),
      ['aisha@acme.example', 'omar@acme.example'],
    );
    for (const [list, prefix] of [
      ['users', 'usr'],
      ['teams', 'team'],
      ['ai_agents', 'ai'],
      ['workflows', 'wf'],
    ] as const) {
      assert.match(body[list][0].id, new RegExp(`^${prefix}_[0-9a-z]{26}$`));
    }
    const [{ name, key, key_prefix }] = body.api_keys;
    assert.equal(name, 'backend');
    assert.ok(key.startsWith(key_prefix));
    assert.equal((await createApi(majlis.url, key).get('/me')).body.workspace_id, body.workspace.id);
  });

  it('changes nothing when it is repeated, and shows a key once', async () => {
    const file = { ...fileOf('Repeated', '300401'), templates: [template] };
    const first = await put(file);
    const before = await everything();
    const second = await put(file);
    assert.deepEqual(await everything(), before);
    const [{ key: _key, ...shown }] = first.body.api_keys;
    assert.deepEqual(second, { status: 200, body: { ...first.body, api_keys: [shown] } });
  });

  it('is applied once however many come at the same time', async () => {
    const file = fileOf('At once', '300402');
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(file)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(8).fill(200),
    );
    assert.equal(new Set(answers.map(({ body }) => body.workspace.id + body.channels[0].id)).size, 1);
    assert.equal(answers.filter(({ body }) => body.api_keys[0].key !== undefined).length, 1);
  });

  it('leaves as it is what it leaves out', async () => {
    const { body } = await put({ ...fileOf('Sparse', '300403'), templates: [template] });
    const before = await everything();
    const [stage] = body.stages;
    const again = await put({
      workspace: { name: 'Sparse' },
      channels: [{ phone_number_id: '300403' }],
      stages: [{ name: 'New lead' }],
      teams: [{ name: 'Sales' }],
      ai_agents: [{ name: 'Concierge' }],
      workflows: [{ name: 'Welcome', trigger: 'api_call' }],
      api_keys: [{ name: 'backend' }],
      of_another_version: true,
    });
    assert.equal(again.status, 200);
    assert.deepEqual(again.body.stages, [stage]);
    assert.deepEqual(again.body.users, []);
    assert.deepEqual(await everything(), before);
  });

  it('changes what it says otherwise', async () => {
    const file = fileOf('Changing', '300404');
    const { body } = await put(file);
    const changed = await put({
      ...file,
      workspace: { name: 'Changing', country: 'KW' },
      wallet: { balance_minor: 3_000_000_000, currency: 'KWD' },
      channels: [{ phone_number_id: '300404', name: 'Sales', waba_id: '100201', verify_token: 'another' }],
      stages: [{ name: 'Customer' }, { name: 'Lost' }, { name: 'New lead', emoji: '🌿' }],
      users: [{ name: 'Aisha S.', email: 'aisha@acme.example' }],
      teams: [{ name: 'Sales', members: ['aisha@acme.example'] }],
      workflows: [{ name: 'Welcome', status: 'paused', trigger: 'api_call', steps: [] }],
      api_keys: [{ name: 'backend', environment: 'live', scopes: ['contacts:read'], created_by: 'omar@acme.example' }],
    });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.workspace.id, body.workspace.id);
    assert.equal(changed.body.channels[0].id, body.channels[0].id);
    const api = createApi(majlis.url, body.api_keys[0].key);
    const { body: me } = await api.get('/me');
    assert.deepEqual([me.environment, me.scopes], ['live', ['contacts:read']]);
    const { body: workspace } = await api.get('/workspace');
    assert.deepEqual([workspace.country, workspace.industry], ['KW', 'retail']);
    const { body: channel } = await api.get(`/channels/${body.channels[0].id}`);
    assert.deepEqual([channel.name, channel.waba_id, channel.display_phone], ['Sales', '100201', '+96880000001']);

    const of = (text: string) =>
      majlis.sql(`${text} and workspace_id = (select id from workspaces where name = 'Changing') order by 1`);
    assert.deepEqual(await of('select position, name, emoji from stages where true'), [
      { position: 1, name: 'Customer', emoji: '⭐' },
      { position: 2, name: 'Lost', emoji: null },
      { position: 3, name: 'New lead', emoji: '🌿' },
    ]);
    assert.deepEqual(await of('select balance_minor::text, currency from wallets where true'), [
      { balance_minor: '3000000000', currency: 'KWD' },
    ]);
    assert.deepEqual(await of('select name, role from users where true'), [
      { name: 'Aisha S.', role: 'admin' },
      { name: 'Omar Ali', role: 'agent' },
    ]);
    assert.deepEqual(
      await of('select email from users u join team_members m using (workspace_id) where m.user_id = u.id'),
      [{ email: 'aisha@acme.example' }],
    );
    const current =
      'select w.status, w.version, v.definition from workflows w join workflow_versions v using (workspace_id)';
    assert.deepEqual(await of(`${current} where v.workflow_id = w.id and v.version = w.version`), [
      { status: 'paused', version: 2, definition: { trigger: 'api_call', steps: [] } },
    ]);
    assert.deepEqual(
      await of('select u.email from api_keys k join users u using (workspace_id) where k.created_by = u.id'),
      [{ email: 'omar@acme.example' }],
    );
  });

  it('is refused as a whole, with a pointer to what is wrong: 422', async () => {
    await put(fileOf('Owner', '300405'));
    const file = fileOf('Refused', '300406');
    const channel = file.channels[0]!;
    const before = await everything();
    const refused: [object, string][] = [
      [{}, '/workspace'],
      [{ workspace: {} }, '/workspace/name'],
      [{ ...file, workspace: { name: '' } }, '/workspace/name'],
      [{ ...file, workspace: { name: 'x'.repeat(256) } }, '/workspace/name'],
      [{ ...file, workspace: { name: 'Refused', country: 'Oman' } }, '/workspace/country'],
      [{ ...file, workspace: { name: 'Refused', timezone: 'Muscat' } }, '/workspace/timezone'],
      [{ ...file, wallet: { balance_minor: 1.5, currency: 'OMR' } }, '/wallet/balance_minor'],
      [{ ...file, channels: [{ ...channel, phone_number_id: 300400 }] }, '/channels/0/phone_number_id'],
      [{ ...file, channels: [{ ...channel, type: 'sms' }] }, '/channels/0/type'],
      [{ ...file, channels: [{ ...channel, app_secret: undefined }] }, '/channels/0/app_secret'],
      [{ ...file, channels: [{ ...channel, phone_number_id: '300405' }] }, '/channels/0/phone_number_id'],
      [{ ...file, stages: [{ name: 'A' }, { name: 'A' }] }, '/stages/1/name'],
      [
        { ...file, teams: [{ name: 'Sales', members: ['omar@acme.example', 'nobody@acme.example'] }] },
        '/teams/0/members/1',
      ],
      [{ ...file, workflows: [{ name: 'W', status: 'running', trigger: 'api_call' }] }, '/workflows/0/status'],
      [{ ...file, api_keys: [{ name: 'k', environment: 'staging' }] }, '/api_keys/0/environment'],
      [{ ...file, api_keys: [{ name: 'k', created_by: 'nobody@acme.example' }] }, '/api_keys/0/created_by'],
      [{ workspace: { name: 'Refused' }, templates: [template] }, '/templates'],
    ];
    for (const [wrong, pointer] of refused) {
      const { status, body } = await put(wrong);
      assert.equal(status, 422, pointer);
      assert.equal(body.code, 'unprocessable_content');
      assert.ok(
        body.errors.some((error: { pointer: string }) => error.pointer === pointer),
        JSON.stringify(body),
      );
    }
    assert.deepEqual(await everything(), before);
  });

  it('keeps secrets out of the log, and out of the database unless they are sealed', async () => {
    await put(fileOf('Secretive', '300407'));
    const rows = await majlis.sql<{ text: string }>(`select c::text as text from channels c`);
    const hex = (text: string) => Buffer.from(text).toString('hex');
    for (const secret of ['canary-access-token', 'canary-app-secret', 'canary-verify-token']) {
      assert.ok(!majlis.log.some((line) => line.includes(secret)));
      assert.ok(!rows.some(({ text }) => text.includes(secret) || text.includes(hex(secret))));
    }
  });
});

describe('an API key', () => {
  it('is revoked at once, and its name is free for a new one', async () => {
    const file = fileOf('Keys', '300408');
    const { body } = await put(file);
    const api = createApi(majlis.url, body.api_keys[0].key);
    assert.equal((await api.get('/me')).status, 200);
    const path = `/workspaces/${body.workspace.id}/api-keys/backend`;
    assert.deepEqual(await majlis.operator('DELETE', path), { status: 204, body: undefined });
    assert.equal((await api.get('/me')).status, 401);
    assert.equal((await majlis.operator('DELETE', path)).status, 404);

    const again = await put(file);
    const { key } = again.body.api_keys[0];
    assert.notEqual(key, body.api_keys[0].key);
    assert.equal((await createApi(majlis.url, key).get('/me')).status, 200);
    assert.equal((await api.get('/me')).status, 401);
  });

  it('answers 404 for an unknown name or workspace', async () => {
    const { body } = await put(fileOf('Other keys', '300409'));
    for (const path of [
      `/workspaces/${body.workspace.id}/api-keys/unknown`,
      `/workspaces/${body.workspace.id}/api-keys/%00`,
      `/workspaces/${body.workspace.id.replace('ws_', 'ct_')}/api-keys/backend`,
      '/workspaces/ws_00000000000000000000000000/api-keys/backend',
      '/workspaces/Acme/api-keys/backend',
    ]) {
      const { status, body: error } = await majlis.operator('DELETE', path);
      assert.deepEqual([status, error.code], [404, 'not_found'], path);
    }
  });

  it('has a name of any characters', async () => {
    const name = 'back/end 100% ✓';
    const { body } = await put({ ...fileOf('Odd keys', '300410'), api_keys: [{ name }] });
    const path = `/workspaces/${body.workspace.id}/api-keys/${encodeURIComponent(name)}`;
    assert.equal((await majlis.operator('DELETE', path)).status, 204);
  });
});

describe('the test clock', () => {
  const now = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);

  it('moves ahead by the seconds asked for, and not back', async () => {
    const before = await now();
    const { status, body } = await majlis.operator('POST', '/clock', { advance_seconds: 90_000 });
    assert.equal(status, 200);
    assert.ok(Date.parse(body.now) - before >= 90_000_000);
    assert.ok((await now()) >= Date.parse(body.now));
    for (const advance_seconds of [-1, '90', null, 3.2e9, undefined, [1]]) {
      const refused = await majlis.operator('POST', '/clock', { advance_seconds });
      assert.equal(refused.status, 422, String(advance_seconds));
      assert.equal(refused.body.errors[0].pointer, '/advance_seconds');
    }
    const infinite = await fetch(`${majlis.url}/operator/clock`, {
      method: 'POST',
      headers: { authorization: 'Bearer operator-token-of-the-tests', 'content-type': 'application/json' },
      body: '{"advance_seconds":1e400}',
    });
    assert.equal(infinite.status, 422);
    assert.ok((await now()) - Date.parse(body.now) < 90_000_000);
  });

  it('holds for every process, and after a start', async () => {
    const other = await majlis.another();
    const read = async () => Date.parse((await other.operator('GET', '/clock')).body.now);
    const { body } = await majlis.operator('POST', '/clock', { advance_seconds: 3600 });
    await eventually(read, (time) => time >= Date.parse(body.now));
    await other.stop();
    const started = await majlis.another();
    assert.ok(Date.parse((await started.operator('GET', '/clock')).body.now) >= Date.parse(body.now));
    await started.stop();
  });

  it('is not to be moved where it is not switched on: 404', async () => {
    const real = await majlis.another({ TEST_CLOCK: '0' });
    assert.equal((await real.operator('GET', '/clock')).status, 200);
    assert.equal((await real.operator('POST', '/clock', { advance_seconds: 1 })).status, 404);
    await real.stop();
  });
});

const template = {
  name: 'order_update',
  language: 'en',
  category: 'utility',
  components: [{ type: 'body', text: 'Hello {{1}}' }],
};
