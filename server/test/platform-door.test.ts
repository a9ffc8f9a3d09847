import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import {
  notificationBody,
  platformText,
  postNotification,
  postSigned,
  postWithHeaders,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const { app_secret } = workspace;
const door = `${majlis.url}/platform/chatapp/webhook`;

const sign = (body: string | Uint8Array, secret = app_secret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const find = (wamid: unknown) =>
  majlis.sql<{ body: string }>('select body from messages where platform_message_id = $1', [wamid]);

const arrived = (wamid: unknown) =>
  eventually(
    () => find(wamid),
    (rows) => rows.length === 1,
  );

describe('the challenge', () => {
  const ask = (query: string) => fetch(`${door}?${query}`);
  const token = () =>
    majlis
      .sql<{ name: string }>('select name from workspaces limit 1')
      .then(([row]) => row!.name.replace('Acme ', 'verify-'));

  it('is answered as plain text for any channel’s verify token', async () => {
    const response = await ask(`hub.mode=subscribe&hub.verify_token=${await token()}&hub.challenge=1158201444`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type')!, /^text\/plain/);
    assert.equal(await response.text(), '1158201444');
  });

  it('is refused for another token, another mode, or none: 403', async () => {
    const known = await token();
    for (const query of [
      'hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1',
      `hub.mode=unsubscribe&hub.verify_token=${known}&hub.challenge=1`,
      `hub.verify_token=${known}&hub.challenge=1`,
      `hub.mode=subscribe&hub.verify_token=${known}`,
      'hub.mode=subscribe&hub.challenge=1',
      '',
      '%',
    ]) {
      assert.equal((await ask(query)).status, 403, query);
    }
  });
});

describe('a notification that is not signed by an app of ours', () => {
  const message = platformText(newDigits(), 'forged');
  const body = notificationBody(workspace, { messages: [message] });
  const good = sign(body);
  const headers: [string, Record<string, string>][] = [
    ['one of another secret', { 'x-hub-signature-256': sign(body, 'another-secret') }],
    ['no signature', {}],
    ['an empty one', { 'x-hub-signature-256': '' }],
    ['a truncated one', { 'x-hub-signature-256': good.slice(0, -1) }],
    ['one without its prefix', { 'x-hub-signature-256': good.slice('sha256='.length) }],
    ['one of other bytes', { 'x-hub-signature-256': sign(`${body} `) }],
    ['one in upper case letters that are no digits', { 'x-hub-signature-256': `sha256=${'Z'.repeat(64)}` }],
    ['the old one alone', { 'x-hub-signature': `sha1=${createHmac('sha1', app_secret).update(body).digest('hex')}` }],
    ['two', { 'x-hub-signature-256': `${good}, ${good}` }],
  ];
  for (const [name, more] of headers) {
    it(`is refused, and nothing is stored: ${name}`, async () => {
      const response = await postWithHeaders(majlis, body, more);
      assert.equal(response.status, 401);
      assert.equal(((await response.json()) as { code: string }).code, 'unauthorized');
      assert.deepEqual(await majlis.sql(`select from jobs where kind = 'inbound.process_webhook'`), []);
    });
  }

  it('leaves a trace: a line with the ids alone, and a measurement of its own', async () => {
    const lines = () => majlis.log.filter((line) => line.includes('a notification was refused'));
    const line = JSON.parse(lines()[0]!);
    assert.equal(line.level, 'warn');
    assert.deepEqual(line.phone_number_ids, [workspace.phone_number_id]);
    assert.deepEqual(line.waba_ids, [workspace.waba_id]);
    assert.ok(!lines().some((text) => text.includes('forged') || text.includes(String(message.from))));
    const metrics = await (await fetch(`${majlis.url}/metrics`)).text();
    const [, count] = /duration_seconds_count\{operation="platform_webhook",status="401"\} (\d+)/.exec(metrics) ?? [];
    assert.equal(Number(count), headers.length);
  });

  it('never arrives', async () => {
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await find(message.id), []);
  });
});

describe('a signed notification', () => {
  it('is verified over its bytes, whatever spelling of JSON they are in', async () => {
    const message = platformText(newDigits(), 'café 😀 a/b');
    const spelled = JSON.stringify(JSON.parse(notificationBody(workspace, { messages: [message] })), undefined, 3)
      .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .replaceAll('/', '\\/');
    assert.equal((await postSigned(majlis, spelled, app_secret)).status, 200);
    assert.deepEqual(await arrived(message.id), [{ body: 'café 😀 a/b' }]);
  });

  it('that begins with a byte order mark is read', async () => {
    const message = platformText(newDigits(), 'marked');
    const bytes = Buffer.from(`\uFEFF${notificationBody(workspace, { messages: [message] })}`);
    assert.equal((await postSigned(majlis, bytes, app_secret)).status, 200);
    await arrived(message.id);
  });

  it('of 3 MB is taken whole, and one beyond every limit is refused', async () => {
    const text = 'x'.repeat(3_000);
    const messages = Array.from({ length: 1_000 }, () => platformText(newDigits(), text));
    const body = notificationBody(workspace, { messages });
    assert.ok(body.length > 3_000_000);
    assert.equal((await postSigned(majlis, body, app_secret)).status, 200);
    await untilNotificationsProcessed(majlis);
    const [row] = await majlis.sql('select count(*)::int as count from messages where platform_message_id = any($1)', [
      messages.map(({ id }) => id),
    ]);
    assert.deepEqual(row, { count: 1_000 });
    assert.equal((await postSigned(majlis, 'x'.repeat(5_000_000), app_secret)).status, 413);
  });

  it('in another content type, or in none, is taken', async () => {
    for (const type of ['text/plain', 'application/octet-stream', undefined]) {
      const message = platformText(newDigits(), String(type));
      const body = Buffer.from(notificationBody(workspace, { messages: [message] }));
      const headers = { 'x-hub-signature-256': sign(body), ...(type && { 'content-type': type }) };
      assert.equal((await fetch(door, { method: 'POST', headers, body })).status, 200, type);
      await arrived(message.id);
    }
  });

  it('that is delivered again byte for byte changes nothing', async () => {
    const message = platformText(newDigits(), 'once');
    const body = notificationBody(workspace, { messages: [message] });
    const state = () =>
      majlis.sql(
        `select (select count(*) from messages) as messages, (select count(*) from events) as events, (select json_agg(c order by id) from conversations c) as conversations`,
      );
    await postSigned(majlis, body, app_secret);
    await arrived(message.id);
    await untilNotificationsProcessed(majlis);
    const before = await state();
    for (let n = 0; n < 3; n++) assert.equal((await postSigned(majlis, body, app_secret)).status, 200);
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await state(), before);
  });

  for (const garbage of ['', 'garbage', '{"object":"whatsapp_business_account","entry":[', '\u0000', '{} {}']) {
    it(`that is not JSON is refused: 422 for ${JSON.stringify(garbage)}`, async () => {
      const response = await postSigned(majlis, garbage, app_secret);
      assert.equal(response.status, 422);
      assert.equal(((await response.json()) as { code: string }).code, 'unprocessable_content');
    });
  }

  for (const odd of [
    'null',
    '[]',
    '1',
    '"text"',
    '{}',
    '{"entry":{}}',
    '{"entry":[null,1,{"id":{}}]}',
    '{"object":"page","entry":[]}',
  ]) {
    it(`of no meaning is answered 200: ${odd}`, async () => {
      assert.equal((await postSigned(majlis, odd, app_secret)).status, 200);
    });
  }

  it('of odd shapes in every place is answered 200, and what is sound in it is kept', async () => {
    const message = platformText(newDigits(), 'sound');
    const whole = JSON.parse(
      notificationBody(workspace, {
        messages: [null, 'a', {}, { from: 1 }, { ...message, id: undefined }, message],
        statuses: 7,
        contacts: 'x',
      }),
    );
    const changes = [
      null,
      {},
      { field: 'messages' },
      { field: 7, value: [] },
      { field: 'unheard_of', value: {} },
      ...whole.entry[0].changes,
    ];
    const body = JSON.stringify({ ...whole, entry: [null, 'x', { id: workspace.waba_id, changes }] });
    assert.equal((await postSigned(majlis, body, app_secret)).status, 200);
    await arrived(message.id);
  });

  it('with NUL and half surrogates in it is kept readable', async () => {
    const message = platformText(newDigits(), 'a\u0000b\ud800c');
    await postNotification(majlis, workspace, { messages: [message] });
    assert.deepEqual(await arrived(message.id), [{ body: 'a\ufffdb\ufffdc' }]);
    const [from, marked] = [newDigits(), 'a\u0000b\ud800'];
    const document = { id: '79\u0000', mime_type: 'application/pdf\u0000', filename: marked, caption: marked };
    const file = platformText(from, '', { type: 'document', document });
    const contacts = [{ wa_id: from, profile: { name: marked } }];
    await postNotification(majlis, workspace, { contacts, messages: [file] });
    await arrived(file.id);
    const rows = await majlis.sql(
      `select m.body, m.filename, c.name from messages m join conversations v on v.id = m.conversation_id
       join contacts c on c.id = v.contact_id where m.platform_message_id = $1`,
      [file.id],
    );
    const kept = 'a\ufffdb\ufffd';
    assert.deepEqual(rows, [{ body: kept, filename: kept, name: kept }]);
  });
});

describe('an app', () => {
  it('reaches its own numbers alone, also where it names another’s beside them', async () => {
    const stranger = await majlis.workspace();
    const [own, foreign] = [platformText(newDigits(), 'own'), platformText(newDigits(), 'foreign')];
    const [theirs, ours] = [
      JSON.parse(notificationBody(stranger, { messages: [own] })),
      JSON.parse(notificationBody(workspace, { messages: [foreign] })),
    ];
    const mixed = JSON.stringify({ ...theirs, entry: [...ours.entry, ...theirs.entry] });
    assert.equal((await postSigned(majlis, mixed, stranger.app_secret)).status, 200);
    await arrived(own.id);
    // Named alone, it is a number that this app does not have.
    const alone = notificationBody(workspace, { messages: [foreign] });
    assert.equal((await postSigned(majlis, alone, stranger.app_secret)).status, 200);
    // And within its own account, in an entry of its own.
    const inner = notificationBody({ ...workspace, waba_id: stranger.waba_id }, { messages: [foreign] });
    assert.equal((await postSigned(majlis, inner, stranger.app_secret)).status, 200);
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await find(foreign.id), []);
  });
});

it('a notification that was verified is applied, though the app secret is another before its turn comes', async () => {
  const door_only = await startTestService({ env: { ROLES: 'api' } });
  const own = await door_only.workspace();
  const message = platformText(newDigits(), 'before the change');
  await postNotification(door_only, own, { messages: [message] });
  const { waba_id, phone_number_id, applied } = own;
  const named = { type: 'chatapp', name: 'Main', waba_id, phone_number_id };
  const secrets = { app_secret: 'another-secret', access_token: own.access_token, verify_token: 'verify' };
  const file = { workspace: { name: applied.workspace.name }, channels: [{ ...named, ...secrets }] };
  assert.equal((await door_only.operator('PUT', '/workspaces', file)).status, 200);
  assert.equal(
    (await postSigned(door_only, notificationBody(own, { messages: [message] }), own.app_secret)).status,
    401,
  );
  const working = await door_only.another({ ROLES: 'api,worker' });
  await untilNotificationsProcessed(door_only);
  const stored = await door_only.sql('select body from messages where platform_message_id = $1', [message.id]);
  assert.deepEqual(stored, [{ body: 'before the change' }]);
  await working.stop();
});

it('ids that are integers, beyond 2^53 too, mean the thing with these digits', async () => {
  const { waba_id, id } = workspace;
  const far = '9007199254740993';
  const neighbour = '9007199254740992';
  const insert = `
    insert into templates (workspace_id, id, waba_id, platform_template_id, name, language, category, components, status, updated_at)
    select workspace_id, gen_random_uuid(), waba_id, $2, $2, language, category, components, 'pending', now()
    from templates where name = 'order_update' and waba_id = $1`;
  for (const digits of [far, neighbour]) await majlis.sql(insert, [waba_id, digits]);
  const review = `{"event":"REJECTED","message_template_id":${far},"message_template_name":"x","message_template_language":"en","reason":"SCAM"}`;
  const body = `{"object":"whatsapp_business_account","entry":[{"id":${waba_id},"time":1772000000,"changes":[{"field":"message_template_status_update","value":${review}}]}]}`;
  assert.equal((await postSigned(majlis, body, app_secret)).status, 200);
  const reviewed = () =>
    majlis.sql<{ payload: string }>(`select payload from events where type = 'template.status_updated'`);
  const [event, ...others] = await eventually(reviewed, (rows) => rows.length > 0);
  const { type, data, workspace_id } = JSON.parse(event!.payload);
  const { name, status, rejection_reason } = data.template;
  assert.deepEqual(
    { type, workspace_id, name, status, rejection_reason, others },
    {
      type: 'template.status_updated',
      workspace_id: id,
      name: far,
      status: 'rejected',
      rejection_reason: 'SCAM',
      others: [],
    },
  );
});

it('the log says nothing of secrets, nor of what people write', () => {
  const log = majlis.log.join('\n');
  assert.ok(log.length > 0);
  for (const secret of [app_secret, workspace.access_token, workspace.key, 'café']) {
    assert.ok(!log.includes(secret), secret.slice(0, 6));
  }
});
