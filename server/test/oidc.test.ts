import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startIssuer, visitIssuer } from '@majlis/testing/identity-provider';
import { type Browser, joinWorkspace, makeToken, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { Secret, TOTP } from 'otpauth';

const origin = 'https://desk.example';
const callback = '/sign-in/oidc/callback';
const issuer = await startIssuer({ redirect_uri: `${origin}/console/v1${callback}` });
const majlis = await startTestService({ env: { PUBLIC_URL: origin, ...issuer.settings } });
const workspace = await majlis.workspace();
const name: string = workspace.applied.workspace.name;
const owner = await joinWorkspace(majlis, workspace);

/** Who sits in front of the browser at the issuer. */
function be(email: string, claims: object = {}, sub = `account of ${email.toLowerCase()}`): string {
  issuer.account = { sub, claims: { email, email_verified: true, name: 'Sara', ...claims } };
  return sub;
}

const invite = (email: string, role = 'agent', to = name) =>
  makeToken(majlis, { kind: 'invitation', workspace: to, email, role });

/** The browser goes to the issuer and comes back. Answers where it ends. */
async function visit(
  browser: Browser,
  { body = {}, change = () => {} }: { body?: object; change?: (url: URL) => unknown } = {},
): Promise<string | null> {
  const begun = await browser.post('/sign-in/oidc', body);
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const url = await visitIssuer(issuer, begun.body.url);
  assert.equal(url.origin, origin);
  await change(url);
  return (await comeBack(browser, url)).headers.get('location');
}

/** Browsers say that the issuer's redirect comes from another site. */
function comeBack(browser: Browser, url: URL) {
  return browser.request('GET', callback + url.search, undefined, { 'sec-fetch-site': 'cross-site' });
}

const failed = (code: string) => `${origin}/?failed=${code}`;

describe('signing in with an identity provider', () => {
  it('makes the account of an invited person, who joins with the role of the invitation', async () => {
    const browser = openBrowser(majlis);
    await invite('sara@acme.example', 'supervisor');
    be('Sara@ACME.example');
    assert.equal((await browser.get('/sign-in')).body.oidc_name, 'Acme ID');
    assert.equal(
      await visit(browser, { body: { return_to: `/w/${workspace.id}/members?a=1` } }),
      `${origin}/w/${workspace.id}/members?a=1`,
    );
    const { body } = await browser.get('/session');
    assert.deepEqual(
      [body.person.email, body.person.name, body.person.has_oidc, body.person.has_password],
      ['sara@acme.example', 'Sara', true, false],
    );
    assert.deepEqual(
      body.workspaces.map((one: { role: string }) => one.role),
      ['supervisor'],
    );
    assert.equal((await browser.get('/sessions')).body.data[0].method, 'oidc');
    assert.equal(await visit(openBrowser(majlis)), `${origin}/`);
  });

  it('links a member by the confirmed address, once, and leaves the second factor to the issuer', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { body: setup } = await agent.post('/totp');
    const now = Date.parse((await majlis.operator('GET', '/clock')).body.now);
    const code = new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate({ timestamp: now });
    await agent.request('PUT', '/totp', { code });
    be(agent.email);
    const browser = openBrowser(majlis);
    assert.equal(await visit(browser), `${origin}/`);
    assert.equal((await browser.get('/session')).body.workspaces[0].user_id, agent.user_id);
    const { body } = await owner.at('GET', '/audit?action=linkOidcAccount');
    assert.equal(body.data[0].actor.user_id, agent.user_id);
    be(agent.email, {}, 'another account');
    assert.equal(await visit(openBrowser(majlis)), failed('oidc_other_account'));
    const typed = await openBrowser(majlis).post('/sign-in', { email: agent.email, password });
    assert.deepEqual(typed.body, { state: 'second_factor' });
  });

  it('keeps the person when the address changes at the issuer', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const sub = be(agent.email);
    await visit(openBrowser(majlis));
    be('married@acme.example', {}, sub);
    const browser = openBrowser(majlis);
    assert.equal(await visit(browser), `${origin}/`);
    assert.equal((await browser.get('/session')).body.person.email, agent.email);
  });

  it('accepts the invitation that the person opened, and no other one of a known person', async () => {
    const [opened, other] = [await majlis.workspace(), await majlis.workspace()];
    be(owner.email);
    const invitation = await invite(owner.email, 'agent', opened.applied.workspace.name);
    await invite(owner.email, 'agent', other.applied.workspace.name);
    const browser = openBrowser(majlis);
    assert.equal(await visit(browser, { body: { invitation } }), `${origin}/`);
    const { body } = await browser.get('/session');
    const ids = body.workspaces.map((one: { workspace_id: string }) => one.workspace_id);
    assert.deepEqual(ids.sort(), [workspace.id, opened.id].sort());
    be('fresh@acme.example');
    const fresh = openBrowser(majlis);
    const theirs = await invite('fresh@acme.example', 'agent', opened.applied.workspace.name);
    assert.equal(await visit(fresh, { body: { invitation: theirs } }), `${origin}/`);
    assert.equal((await fresh.get('/session')).body.workspaces[0].workspace_id, opened.id);
    be(owner.email);
    const strange = await invite('somebody@acme.example');
    assert.equal(await visit(openBrowser(majlis), { body: { invitation: strange } }), failed('link_invalid'));
    assert.equal((await openBrowser(majlis).post('/links/read', { token: strange })).status, 200);
  });

  it('refuses an address that the issuer does not confirm, and one that nobody invited', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    for (const email_verified of [false, undefined, 'true', 1]) {
      be(agent.email, { email_verified });
      assert.equal(await visit(openBrowser(majlis)), failed('oidc_email_unverified'));
    }
    be('stranger@acme.example');
    const browser = openBrowser(majlis);
    assert.equal(await visit(browser), failed('oidc_not_admitted'));
    assert.equal((await browser.get('/session')).status, 401);
    assert.deepEqual(await majlis.sql(`select id from people where email = 'stranger@acme.example'`), []);
  });

  it('takes no address for another one that is written with a sign of its own', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent', email: 'kim@acme.example' });
    // In lower case, the sign of kelvin becomes the letter k.
    be(agent.email.replace('k', '\u212a'));
    assert.equal(await visit(openBrowser(majlis)), failed('oidc_not_admitted'));
    be('Kim@ACME.example');
    assert.equal(await visit(openBrowser(majlis)), `${origin}/`);
  });

  it('makes a new session, and ends the one of the browser', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    be(agent.email);
    const browser = openBrowser(majlis);
    assert.equal((await browser.post('/sign-in', { email: owner.email, password })).status, 200);
    const before = browser.cookies.get('__Host-majlis')!;
    await visit(browser);
    assert.notEqual(browser.cookies.get('__Host-majlis'), before);
    const stolen = openBrowser(majlis);
    stolen.cookies.set('__Host-majlis', before);
    assert.equal((await stolen.get('/session')).status, 401);
  });

  it('comes back to this service alone', async () => {
    be(owner.email);
    const places = ['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example', 'javascript:1'];
    places.push(`blob:${origin}/page`, `${origin}@evil.example/`, `https://evil.example\\@${new URL(origin).host}`);
    for (const return_to of places) {
      assert.equal(await visit(openBrowser(majlis), { body: { return_to } }), `${origin}/`, return_to);
    }
    const doubled = await visit(openBrowser(majlis), { body: { return_to: `${origin}//evil.example` } });
    assert.equal(new URL(doubled!).origin, origin);
  });

  describe('refuses a callback', () => {
    const refused = async (change: (url: URL) => unknown) => {
      const browser = openBrowser(majlis);
      assert.equal(await visit(browser, { change }), failed('oidc_failed'));
      assert.equal((await browser.get('/session')).status, 401);
    };

    it('that another browser began, so a stranger signs nobody in as themselves', async () => {
      be(owner.email);
      const begun = await openBrowser(majlis).post('/sign-in/oidc');
      const url = await visitIssuer(issuer, begun.body.url);
      const victim = openBrowser(majlis);
      assert.equal((await comeBack(victim, url)).headers.get('location'), failed('oidc_failed'));
      await victim.post('/sign-in/oidc');
      assert.equal((await comeBack(victim, url)).headers.get('location'), failed('oidc_failed'));
      assert.equal((await victim.get('/session')).status, 401);
    });

    it('with another state, issuer or code, and with the refusal of the issuer', async () => {
      be(owner.email);
      await refused((url) => url.searchParams.set('state', 'x'));
      await refused((url) => url.searchParams.set('iss', 'https://evil.example'));
      await refused((url) => url.searchParams.delete('iss'));
      await refused((url) => url.searchParams.set('code', 'x'));
      await refused((url) => {
        url.searchParams.delete('code');
        url.searchParams.set('error', 'access_denied');
      });
    });

    it('whose token answers another request', async () => {
      be(owner.email);
      issuer.tamper = (query) => query.set('nonce', 'of another request');
      await refused(() => {});
      issuer.tamper = (query) => query.set('code_challenge', 'A'.repeat(43));
      await refused(() => {});
      issuer.tamper = undefined;
    });

    it('of a visit that no key opens any more', async () => {
      be(owner.email);
      const sql = 'update sign_in_challenges set exchange = set_byte(exchange, 3, get_byte(exchange, 3) # 1)';
      await refused(() => majlis.sql(sql));
    });

    it('that came before, and one of a visit that began five minutes ago', async () => {
      be(owner.email);
      const browser = openBrowser(majlis);
      const begun = await browser.post('/sign-in/oidc');
      const cookie = browser.cookies.get('__Host-majlis-oidc')!;
      const url = await visitIssuer(issuer, begun.body.url);
      assert.equal((await comeBack(browser, url)).headers.get('location'), `${origin}/`);
      const again = openBrowser(majlis);
      again.cookies.set('__Host-majlis-oidc', cookie);
      assert.equal((await comeBack(again, url)).headers.get('location'), failed('oidc_failed'));
      const late = openBrowser(majlis);
      const { body } = await late.post('/sign-in/oidc');
      const lateUrl = await visitIssuer(issuer, body.url);
      await majlis.advance(301);
      assert.equal((await comeBack(late, lateUrl)).headers.get('location'), failed('oidc_failed'));
    });
  });

  it('stores neither state nor secrets of a visit in the clear', async () => {
    const browser = openBrowser(majlis);
    const { body, headers } = await browser.post('/sign-in/oidc');
    assert.match(
      headers.get('set-cookie')!,
      /^__Host-majlis-oidc=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const rows = await majlis.sql(
      "select encode(token_hash, 'escape') || encode(exchange, 'escape') as text from sign_in_challenges",
    );
    const query = new URL(body.url).searchParams;
    for (const secret of [query.get('state')!, query.get('nonce')!]) assert.ok(!JSON.stringify(rows).includes(secret));
  });

  it('confirms a person who has no password, and nobody else', async () => {
    const email = 'bare@acme.example';
    await invite(email);
    const sub = be(email);
    const browser = openBrowser(majlis);
    await visit(browser);
    await majlis.advance(601);
    const confirm = async () => {
      const { body } = await browser.post('/confirm/oidc');
      assert.equal(new URL(body.url).searchParams.get('prompt'), 'login');
      return (await comeBack(browser, await visitIssuer(issuer, body.url))).headers.get('location');
    };
    const change = () => browser.request('PUT', '/password', { password });
    be('other@acme.example');
    assert.equal(await confirm(), `${origin}/confirmed?failed=oidc_other_account`);
    assert.equal((await change()).status, 403);
    be(email, {}, sub);
    assert.equal(await confirm(), `${origin}/confirmed`);
    assert.equal((await change()).status, 204);
  });

  it('confirms no other session than the one that began', async () => {
    const email = 'twice@acme.example';
    await invite(email);
    const sub = be(email);
    const [first, second] = [openBrowser(majlis), openBrowser(majlis)];
    await visit(first);
    await visit(second);
    await majlis.advance(601);
    be(email, {}, sub);
    const { body } = await first.post('/confirm/oidc');
    const url = await visitIssuer(issuer, body.url);
    second.cookies.set('__Host-majlis-oidc', first.cookies.get('__Host-majlis-oidc')!);
    assert.equal((await comeBack(second, url)).headers.get('location'), failed('oidc_failed'));
    assert.equal((await second.request('PUT', '/password', { password })).status, 403);
  });

  it('says that the issuer does not answer, before the visit and after it', async () => {
    const other = await majlis.another();
    const browser = openBrowser(other);
    issuer.isDown = true;
    const begun = await browser.post('/sign-in/oidc');
    assert.deepEqual([begun.status, begun.body.code], [503, 'oidc_unavailable']);
    issuer.isDown = false;
    be(owner.email);
    const { body } = await browser.post('/sign-in/oidc');
    const url = await visitIssuer(issuer, body.url);
    issuer.isDown = true;
    assert.equal((await comeBack(browser, url)).headers.get('location'), failed('oidc_unavailable'));
    // What the issuer says of its addresses holds for an hour.
    await other.advance(3_500);
    assert.equal((await browser.post('/sign-in/oidc')).status, 200);
    await other.advance(101);
    assert.equal((await browser.post('/sign-in/oidc')).status, 503);
    issuer.isDown = false;
    await other.stop();
  });

  it('is refused after sixty attempts from one address', async () => {
    const other = await majlis.another();
    const browser = openBrowser(other);
    const locations = await Promise.all(
      Array.from({ length: 61 }, async () => (await browser.get(`${callback}?code=x&state=x`)).headers.get('location')),
    );
    assert.deepEqual(
      [failed('oidc_failed'), failed('rate_limited')].map((one) => locations.filter((each) => each === one).length),
      [60, 1],
    );
    const begun = await Promise.all(Array.from({ length: 61 }, () => browser.post('/sign-in/oidc')));
    assert.deepEqual(
      [200, 429].map((one) => begun.filter(({ status }) => status === one).length),
      [60, 1],
    );
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    for (const [name, value] of member.cookies) browser.cookies.set(name, value);
    assert.equal((await browser.post('/confirm/oidc')).status, 429);
    await other.stop();
  });

  it('follows the domains and groups of the operator, which give a new person their role', async () => {
    const restricted = await majlis.another({
      OIDC_DOMAINS: 'acme.example, @acme.test',
      OIDC_GROUPS: 'support,leads',
      OIDC_GROUP_ROLES: `leads = admin @ ${name}; cooks=agent@Nowhere`,
    });
    const enter = async (email: string, claims: object) => {
      be(email, claims);
      const browser = openBrowser(restricted);
      const begun = await browser.post('/sign-in/oidc');
      const url = await visitIssuer(issuer, begun.body.url);
      const location = (await comeBack(browser, url)).headers.get('location');
      return { location, browser };
    };
    const code = failed('oidc_not_admitted');
    const lead = await enter('lead@acme.test', { groups: ['/leads', 'x'] });
    assert.equal(lead.location, `${origin}/`);
    assert.deepEqual(
      (await lead.browser.get('/session')).body.workspaces.map((one: { role: string }) => one.role),
      ['admin'],
    );
    assert.equal((await enter('lead@evil.example', { groups: ['leads'] })).location, code);
    assert.equal((await enter('lead@acme.example.evil.example', { groups: ['leads'] })).location, code);
    assert.equal((await enter(owner.email, { groups: ['cooks'] })).location, code);
    assert.equal((await enter(owner.email, {})).location, code);
    assert.equal((await enter('new@acme.example', { groups: ['support'] })).location, code);
    await restricted.stop();
  });

  it('needs nothing but the token of an issuer that tells nothing else', async () => {
    const brief = await startIssuer({ redirect_uri: `${origin}/console/v1${callback}`, has_userinfo: false });
    const service = await majlis.another({ ...brief.settings });
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    brief.account = { sub: 'brief', claims: { email: member.email, email_verified: true } };
    const browser = openBrowser(service);
    const begun = await browser.post('/sign-in/oidc', {});
    const { headers } = await comeBack(browser, await visitIssuer(brief, begun.body.url));
    assert.equal(headers.get('location'), `${origin}/`);
    await service.stop();
  });

  it('takes the word of an issuer without email_verified for the domains that the operator trusts, and no other', async () => {
    const trusting = await majlis.another({ OIDC_TRUSTED_DOMAINS: 'acme.example' });
    const enter = async (email: string, email_verified?: unknown) => {
      be(email, { email_verified });
      const browser = openBrowser(trusting);
      const begun = await browser.post('/sign-in/oidc');
      return (await comeBack(browser, await visitIssuer(issuer, begun.body.url))).headers.get('location');
    };
    const [own, guest] = [
      await joinWorkspace(majlis, workspace, { email: 'entra@acme.example' }),
      await joinWorkspace(majlis, workspace, { email: 'entra@guest.example' }),
    ];
    const refused = failed('oidc_email_unverified');
    assert.equal(await enter(own.email, false), refused);
    assert.equal(await enter(guest.email), refused);
    assert.equal(await enter('entra@guest.acme.example'), refused);
    assert.equal(await enter(own.email), `${origin}/`);
    await trusting.stop();
  });

  it('does not exist where no issuer is set', async () => {
    const without = await majlis.another({
      OIDC_ISSUER: '',
      OIDC_CLIENT_ID: '',
      OIDC_CLIENT_SECRET: '',
      OIDC_NAME: '',
    });
    const browser = openBrowser(without);
    assert.equal((await browser.get('/sign-in')).body.oidc_name, undefined);
    assert.equal((await browser.post('/sign-in/oidc')).status, 404);
    for (const [cookie, value] of owner.cookies) browser.cookies.set(cookie, value);
    assert.equal((await browser.post('/confirm/oidc')).status, 404);
    await without.stop();
  });
});
