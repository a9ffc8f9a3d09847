import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { type Browser, joinWorkspace, type Member, openBrowser, password } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { Secret, TOTP } from 'otpauth';

const majlis = await startTestService();
const [shop, other] = [await majlis.workspace(), await majlis.workspace()];
const victim = await withApp(await joinWorkspace(majlis, shop, { role: 'agent' }));
// Of the same workspace, and of another one.
const strangers = [
  await withApp(await joinWorkspace(majlis, shop, { role: 'owner' })),
  await withApp(await joinWorkspace(majlis, other, { role: 'owner' })),
];

interface PersonWithApp extends Member {
  secret: string;
  recovery_codes: string[];
}

async function withApp(person: Member): Promise<PersonWithApp> {
  const { body: setup } = await person.post('/totp');
  const enabled = await person.request('PUT', '/totp', { code: await codeOf(setup.secret) });
  assert.equal(enabled.status, 200);
  await majlis.advance(60);
  return { ...person, secret: setup.secret, recovery_codes: enabled.body.recovery_codes };
}

async function codeOf(secret: string): Promise<string> {
  const timestamp = Date.parse((await majlis.operator('GET', '/clock')).body.now);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** A sign-in of the victim that awaits its code. */
async function halfway(): Promise<Browser> {
  const browser = openBrowser(majlis);
  await browser.post('/sign-in', { email: victim.email, password });
  return browser;
}

for (const [n, stranger] of strangers.entries()) {
  describe(`the secrets of a person of ${n === 0 ? 'the same' : 'another'} workspace`, () => {
    it('sign nobody else in: recovery code, code of the app', async () => {
      for (const code of [stranger.recovery_codes[0]!, await codeOf(stranger.secret)]) {
        const browser = await halfway();
        assert.equal((await browser.post('/sign-in/code', { code })).status, 401);
        assert.equal((await browser.get('/session')).status, 401);
      }
      const own = openBrowser(majlis);
      await own.post('/sign-in', { email: stranger.email, password });
      const { status } = await own.post('/sign-in/code', { code: stranger.recovery_codes[0] });
      assert.equal(status, 200, 'the code is still good for its owner');
    });

    it('confirm nobody else: code of the app, password', async () => {
      const browser = await halfway();
      await browser.post('/sign-in/code', { code: victim.recovery_codes[n] });
      assert.equal((await browser.post('/confirm', { code: await codeOf(stranger.secret) })).status, 401);
    });

    it('end and show no session of another: by id, by list', async () => {
      const { body } = await victim.get('/sessions');
      for (const { id } of body.data) {
        assert.equal((await stranger.request('DELETE', `/sessions/${id}`)).status, 404);
      }
      const { body: own } = await stranger.get('/sessions');
      const ids = new Set(body.data.map(({ id }: { id: string }) => id));
      assert.ok(own.data.every(({ id }: { id: string }) => !ids.has(id)));
      assert.equal((await victim.get('/session')).status, 200);
    });
  });
}

describe('what a person keeps for themselves', async () => {
  const canary = 'kept by the victim';
  // The quiet hours of the victim.
  const isShown = (answer: unknown) => [canary, '01:23'].some((text) => JSON.stringify(answer ?? '').includes(text));
  const digits = newDigits();
  const { conversation_id } = await receiveMessage(majlis, shop, digits);
  const { message_id } = await receiveMessage(majlis, shop, digits);
  const at = `/conversations/${conversation_id}`;
  const make = async (method: string, path: string, body?: object) => {
    const { status, body: made } = await victim.at(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(made)}`);
    return made;
  };
  const { version } = await make('PUT', `${at}/drafts/reply`, { body: canary });
  await make('PUT', `${at}/drafts/note`, { body: canary });
  await make('PUT', `${at}/read-mark`, { last_read_message_id: message_id });
  await make('PATCH', '/notification-settings', {
    conversations: 'mine',
    quiet_hours: { from: '01:23', until: '02:00' },
  });
  const view_id = (await make('POST', '/views', { name: canary, filter: { q: canary } })).id;
  const reply_id = (await make('POST', '/canned-replies', { name: 'kept', body: canary })).id;
  await make('PUT', `${at}/presence`, { typing: 'reply' });

  const ofVictim = [
    ...[`${at}/drafts`, '/drafts', `/read-marks?conversation_ids=${conversation_id}`, '/notification-settings'],
    ...['/views', `/inbox?view=saved:${view_id}`, '/canned-replies?prefix=kept', `${at}/presences`],
  ];
  const readAll = async () => JSON.stringify(await Promise.all(ofVictim.map((path) => make('GET', path))));

  /** The answers to a member of the same workspace. */
  const tries: [method: string, path: string, body: object | undefined, ...statuses: number[]][] = [
    ...ofVictim.map((path): (typeof tries)[number] => ['GET', path, undefined, path.includes('saved:') ? 404 : 200]),
    ['PUT', `${at}/drafts/reply`, { body: 'taken over', version }, 409],
    ['DELETE', `${at}/drafts/reply?version=${version}`, undefined, 204],
    ['DELETE', `${at}/drafts/note`, undefined, 204],
    ['POST', `${at}/mark-unread`, {}, 200],
    ['PATCH', '/notification-settings', { conversations: 'none', quiet_hours: null }, 200],
    ['PATCH', `/views/${view_id}`, { name: 'taken over', position: 0 }, 404],
    ['DELETE', `/views/${view_id}`, undefined, 404],
    ['PATCH', `/canned-replies/${reply_id}`, { body: 'taken over' }, 404],
    ['DELETE', `/canned-replies/${reply_id}`, undefined, 404],
    ['PUT', `${at}/presence`, { typing: 'note' }, 200],
    ['DELETE', `${at}/presence`, undefined, 204],
  ];

  it('is neither shown to, nor changed by, a person of the same workspace', async () => {
    const before = await readAll();
    assert.ok(before.includes(canary));
    for (const [method, path, body, expected] of tries) {
      const { status, body: answer } = await strangers[0]!.at(method, path, body);
      assert.equal(status, expected, `${method} ${path}: ${JSON.stringify(answer)}`);
      assert.ok(!isShown(answer), `${method} ${path}`);
    }
    // With a draft of their own, which they save again and end.
    const path = `${at}/drafts/reply`;
    const own = await strangers[0]!.at('PUT', path, { body: 'their own' });
    const again = await strangers[0]!.at('PUT', path, { body: 'their own again', version: own.body.version });
    assert.equal(again.status, 200);
    assert.equal(await readAll(), before);
    assert.equal((await strangers[0]!.at('DELETE', `${path}?version=${again.body.version}`)).status, 204);
    assert.equal(await readAll(), before);
  });

  it('is nothing to a person of another workspace, in its place and in their own', async () => {
    const before = await readAll();
    const stranger = strangers[1]!;
    for (const [method, path, body] of tries) {
      const there = await stranger.request(method, `/workspaces/${shop.id}${path}`, body);
      assert.equal(there.status, 404, `${method} ${path}`);
      const { status, body: answer } = await stranger.at(method, path, body);
      const isNamed = [conversation_id, view_id, reply_id].some((id) => path.split('?')[0]!.includes(id));
      if (isNamed) assert.equal(status, 404, `${method} ${path}`);
      assert.ok(!isShown(answer), `${method} ${path}`);
    }
    assert.equal(await readAll(), before);
  });
});

describe('a write that a page of another site makes', () => {
  const write = (headers: Record<string, string>) =>
    fetch(`${majlis.url}/console/v1/sign-out`, {
      method: 'POST',
      headers: { cookie: [...victim.cookies].map(([name, value]) => `${name}=${value}`).join('; '), ...headers },
    });

  it('is refused, whatever of its origin the browser tells', async () => {
    const foreign = [
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `${majlis.url}.evil.example` },
      { origin: '' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: majlis.url },
      { 'sec-fetch-site': '' },
    ];
    for (const headers of foreign) assert.equal((await write(headers)).status, 403, JSON.stringify(headers));
    assert.equal((await victim.get('/session')).status, 200);
    assert.equal((await write({ origin: majlis.url })).status, 204);
  });
});
