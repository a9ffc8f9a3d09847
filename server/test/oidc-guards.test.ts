import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAuthenticator } from '@majlis/testing/authenticator';
import { startIssuer, visitIssuer } from '@majlis/testing/identity-provider';
import { joinWorkspace, makeToken, openBrowser } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { withTrigger } from '@majlis/testing/with-trigger';

const origin = 'https://desk.example';
const callback = '/sign-in/oidc/callback';
const redirect_uri = `${origin}/console/v1${callback}`;
const issuer = await startIssuer({ redirect_uri });
const majlis = await startTestService({ env: { PUBLIC_URL: origin, RATE_LIMITS: 'off', ...issuer.settings } });
const workspace = await majlis.workspace();
const name: string = workspace.applied.workspace.name;

/** The browser goes to an issuer, where an account with these claims is, and comes back. */
async function visit(
  claims: object,
  { service = majlis, at = issuer, sub = 'the account', browser = openBrowser(service), body = {} } = {},
) {
  at.account = { sub, claims: { email_verified: true, ...claims } };
  const begun = await browser.post('/sign-in/oidc', body);
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const url = await visitIssuer(at, begun.body.url);
  const { status, headers } = await browser.request('GET', callback + url.search);
  return { status, location: headers.get('location'), browser };
}

const failed = (code: string) => `${origin}/?failed=${code}`;

it('an account is refused whose confirmed address is none', async () => {
  for (const email of [undefined, 'two words@acme.example', 7]) {
    const { location } = await visit({ email });
    assert.equal(location, failed('oidc_email_unverified'), String(email));
  }
});

it('an issuer that lists no endpoint for more is believed about what its token leaves out', async () => {
  const brief = await startIssuer({ redirect_uri, has_userinfo: false });
  const service = await majlis.another({ ...brief.settings, OIDC_GROUPS: 'support' });
  const { email } = await joinWorkspace(majlis, workspace);
  const { location } = await visit({ email }, { service, at: brief });
  assert.equal(location, failed('oidc_not_admitted'));
  await service.stop();
});

it('an issuer may name the person outside its token alone, and know the service by its address alone', async () => {
  for (const form of [{ has_bare_token: true }, { is_public: true }]) {
    const other = await startIssuer({ redirect_uri, ...form });
    const service = await majlis.another(other.settings);
    const { email } = await joinWorkspace(majlis, workspace);
    const { location } = await visit({ email }, { service, at: other });
    assert.equal(location, `${origin}/`, JSON.stringify(form));
    await service.stop();
  }
});

it('an issuer is asked for more than its token where something is missing alone', async () => {
  const { email } = await joinWorkspace(majlis, workspace);
  const asksFor = async (claims: object, env: Record<string, string>) => {
    const service = await majlis.another(env);
    issuer.paths = [];
    await visit({ email, ...claims }, { service, sub: 'brief' });
    await service.stop();
    return issuer.paths.includes('/me');
  };
  assert.equal(await asksFor({}, {}), false);
  for (const env of [{ OIDC_GROUPS: 'support' }, { OIDC_GROUP_ROLES: `leads=admin@${name}` }]) {
    assert.deepEqual([await asksFor({}, env), await asksFor({ groups: ['support'] }, env)], [true, false]);
  }
});

it('an issuer whose connection breaks is away, and refuses nobody', async () => {
  const other = await startIssuer({ redirect_uri });
  const service = await majlis.another(other.settings);
  const browser = openBrowser(service);
  const { body } = await browser.post('/sign-in/oidc');
  const { search } = await visitIssuer(other, body.url);
  other.isAway = true;
  const { headers } = await browser.request('GET', callback + search);
  assert.equal(headers.get('location'), failed('oidc_unavailable'));
  await service.stop();
});

it('an account with the same name at another issuer confirms nobody', async () => {
  const { email } = await joinWorkspace(majlis, workspace);
  const { browser } = await visit({ email }, { sub: 'the same' });
  const other = await startIssuer({ redirect_uri });
  const service = await majlis.another(other.settings);
  const there = openBrowser(service);
  for (const [key, value] of browser.cookies) there.cookies.set(key, value);
  other.account = { sub: 'the same', claims: { email, email_verified: true } };
  const { body } = await there.post('/confirm/oidc');
  const { headers } = await there.request('GET', callback + (await visitIssuer(other, body.url)).search);
  assert.equal(headers.get('location'), `${origin}/confirmed?failed=oidc_other_account`);
  await service.stop();
});

it('a fault of the service while somebody comes back is no refusal of the issuer', async () => {
  const { email } = await joinWorkspace(majlis, workspace);
  const fault = { on: 'before insert on sessions', when: `new.method = 'oidc'`, body: `raise 'no session';` };
  const { status, location } = await withTrigger(majlis, fault, () => visit({ email }, { sub: 'of a fault' }));
  assert.deepEqual([status, location], [500, null]);
});

it('an invitation gives nobody the member that another person is', async () => {
  const shop = await majlis.workspace();
  const [mover, keeper] = [await joinWorkspace(majlis, workspace), await joinWorkspace(majlis, shop)];
  assert.equal((await visit({ email: mover.email }, { sub: 'mover' })).location, `${origin}/`);
  const to = shop.applied.workspace.name;
  const token = await makeToken(majlis, { kind: 'invitation', workspace: to, email: keeper.email, role: 'owner' });
  const { location } = await visit({ email: keeper.email }, { sub: 'mover', body: { invitation: token } });
  assert.equal(location, failed('already_member'));
  const { body } = await keeper.at('GET', '/members');
  const kept = body.data.find(({ user_id }: { user_id: string }) => user_id === keeper.user_id);
  assert.equal(kept.email, keeper.email);
});

it('the last passkey may go where the issuer signs the person in, and no other issuer', async () => {
  const email = 'bare@acme.example';
  await makeToken(majlis, { kind: 'invitation', workspace: name, email, role: 'agent' });
  const { browser } = await visit({ email }, { sub: 'bare' });
  const device = createAuthenticator({ origin });
  const add = async () => {
    const { body } = await browser.post('/passkeys/begin');
    return (await browser.post('/passkeys', { name: 'Phone', response: device.register(body.options) })).body.id;
  };
  const elsewhere = await majlis.another({ OIDC_ISSUER: 'https://former.example' });
  const id = await add();
  const there = openBrowser(elsewhere);
  for (const [key, value] of browser.cookies) there.cookies.set(key, value);
  assert.equal((await there.request('DELETE', `/passkeys/${id}`)).body?.code, 'last_sign_in_method');
  assert.equal((await browser.request('DELETE', `/passkeys/${id}`)).status, 204);
  await elsewhere.stop();
});

it('an account is linked once, and the log of the workspace tells it once', async () => {
  const owner = await joinWorkspace(majlis, workspace);
  const { email, user_id } = await joinWorkspace(majlis, workspace);
  for (let visits = 0; visits < 2; visits++) {
    assert.equal((await visit({ email }, { sub: 'comes again' })).location, `${origin}/`);
  }
  const { body } = await owner.at('GET', `/audit?action=linkOidcAccount&user_id=${user_id}`);
  assert.equal(body.data.length, 1);
});
