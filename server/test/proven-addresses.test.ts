import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Authenticator, createAuthenticator } from '@majlis/testing/authenticator';
import { eventually } from '@majlis/testing/eventually';
import { startIssuer, visitIssuer } from '@majlis/testing/identity-provider';
import { startMailServer } from '@majlis/testing/mail-server';
import {
  type Browser,
  joinWorkspace,
  makeToken,
  openBrowser as openPlainBrowser,
  password,
} from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { Secret, TOTP } from 'otpauth';

const origin = 'https://desk.example';
const issuer = await startIssuer({ redirect_uri: `${origin}/console/v1/sign-in/oidc/callback` });
const mail = await startMailServer();
// Without e-mail: an admin gives the link away by hand.
const env = { PUBLIC_URL: origin, RATE_LIMITS: 'off', TRUSTED_PROXIES: '127.0.0.1', ...issuer.settings };
const majlis = await startTestService({ env });
const mailing = await majlis.another({ SMTP_URL: mail.url, SMTP_FROM: 'Majlis <majlis@acme.example>' });
const [evil, good] = [await majlis.workspace(), await majlis.workspace()];
const evilAdmin = await joinWorkspace(majlis, evil, { role: 'admin' });
const goodAdmin = await joinWorkspace(majlis, good, { role: 'admin' });

/** A browser at an address of its own, because the attempts of one address are limited. */
function openBrowser(service: { url: string }): Browser {
  const browser = openPlainBrowser(service);
  const address = `10.1.${Math.floor(++browsers / 250)}.${browsers % 250}`;
  const request: Browser['request'] = (method, path, body, headers) =>
    browser.request(method, path, body, { 'x-forwarded-for': address, ...headers });
  return {
    ...browser,
    request,
    get: (path) => request('GET', path),
    post: (path, body = {}) => request('POST', path, body),
  };
}
let browsers = 0;

const nameOf = (workspace: TestWorkspace): string => workspace.applied.workspace.name;
const tokenOf = (link: string): string => link.split('#')[1]!;
const now = async () => Date.parse((await majlis.operator('GET', '/clock')).body.now);
const operatorLink = (kind: string, email: string) =>
  makeToken(majlis, { kind, email, ...(kind === 'reset' ? {} : { workspace: nameOf(good), role: 'agent' }) });

async function inviteByHand(admin: typeof evilAdmin, email: string): Promise<string> {
  const { status, body } = await admin.at('POST', '/invitations', { email, role: 'agent' });
  assert.equal(status, 201, JSON.stringify(body));
  return tokenOf(body.link);
}

function assertRefused(answer: { status: number; body: { code: string } }, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code]);
}

/** The statement with which what proves or uses an account begins. */
const lockPerson = 'from "people" where "id" = $1 for update';

interface Squatter {
  email: string;
  /** A browser with a session, which the admin of another workspace made. */
  session: Browser;
  /** A browser whose sign-in awaits its code. */
  halfway: Browser;
  device: Authenticator;
  secret: string;
  recovery_codes: string[];
}

let people = 0;
const theirs = 'chosen by somebody else';

/** An admin of another workspace makes the account of a stranger's address, with everything that signs in. */
async function squat(): Promise<Squatter> {
  const email = `victim${++people}@b.example`;
  const token = await inviteByHand(evilAdmin, email);
  const session = openBrowser(majlis);
  const joined = await session.post('/invitations/accept', { token, name: 'Victim', password: theirs });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  const device = createAuthenticator({ origin });
  const { body: begun } = await session.post('/passkeys/begin');
  const passkey = await session.post('/passkeys', { name: 'Phone', response: device.register(begun.options) });
  assert.equal(passkey.status, 201, JSON.stringify(passkey.body));
  const { body: setup } = await session.post('/totp');
  const app = new TOTP({ secret: Secret.fromBase32(setup.secret) });
  const enabled = await session.request('PUT', '/totp', { code: app.generate({ timestamp: await now() }) });
  assert.equal(enabled.status, 200, JSON.stringify(enabled.body));
  const halfway = openBrowser(majlis);
  assert.deepEqual((await halfway.post('/sign-in', { email, password: theirs })).body, { state: 'second_factor' });
  const { recovery_codes } = enabled.body;
  return { email, session, halfway, device, secret: setup.secret, recovery_codes };
}

async function assertLockedOut({ email, session, halfway, device, recovery_codes }: Squatter): Promise<void> {
  assert.equal((await session.get('/session')).status, 401);
  assert.equal((await session.request('GET', `/workspaces/${good.id}/contacts`)).status, 401);
  assert.equal((await halfway.post('/sign-in/code', { code: recovery_codes[0] })).status, 401);
  assert.equal((await openBrowser(majlis).post('/sign-in', { email, password: theirs })).status, 401);
  const stranger = openBrowser(majlis);
  const { body } = await stranger.post('/sign-in/passkey/begin');
  assert.equal((await stranger.post('/sign-in/passkey', device.prove(body.options))).status, 401);
}

async function visitProvider(email: string, invitation?: string): Promise<Browser> {
  issuer.account = { sub: `account of ${email}`, claims: { email, email_verified: true, name: 'Victim' } };
  const browser = openBrowser(majlis);
  const { body } = await browser.post('/sign-in/oidc', { invitation });
  const url = await visitIssuer(issuer, body.url);
  const back = `/sign-in/oidc/callback${url.search}`;
  const { headers } = await browser.request('GET', back, undefined, { 'sec-fetch-site': 'cross-site' });
  assert.equal(headers.get('location'), `${origin}/`);
  return browser;
}

const own = 'a password of my own';

/** What its owner does with what they received. Answers the browser in which they are signed in. */
const proofs: Record<string, (squatter: Squatter) => Promise<Browser>> = {
  'the word of the identity provider': async ({ email }) => visitProvider(email, await inviteByHand(goodAdmin, email)),
  'an invitation of the operator': async ({ email }) => {
    const browser = openBrowser(majlis);
    const body = { token: await operatorLink('invitation', email), name: 'V', password: own };
    const answer = await browser.post('/invitations/accept', body);
    assert.deepEqual(answer.body, { state: 'signed_in' });
    return browser;
  },
  'a reset by the operator': async ({ email }) => {
    const browser = openBrowser(majlis);
    const token = await operatorLink('reset', email);
    assert.deepEqual((await browser.post('/password/reset', { token, password: own })).body, { state: 'signed_in' });
    return browser;
  },
  'a sign-in link of the operator': async ({ email }) => {
    const browser = openBrowser(majlis);
    const token = await operatorLink('sign_in', email);
    assert.deepEqual((await browser.post('/sign-in/link', { token })).body, { state: 'signed_in' });
    return browser;
  },
  'a mailed invitation': async ({ email }) => {
    const admin = openBrowser(mailing);
    assert.equal((await admin.post('/sign-in', { email: goodAdmin.email, password })).status, 200);
    const path = `/workspaces/${good.id}/invitations`;
    const invited = await admin.request('POST', path, { email, role: 'agent' });
    assert.deepEqual([invited.status, invited.body.link], [201, undefined]);
    const browser = openBrowser(majlis);
    const token = await mailedTo(email);
    const accepted = await browser.post('/invitations/accept', { token, name: 'V', password: own });
    assert.deepEqual(accepted.body, { state: 'signed_in' });
    return browser;
  },
  'a mailed reset': async ({ email }) => {
    await openBrowser(mailing).post('/password/forgot', { email });
    const browser = openBrowser(majlis);
    const token = await mailedTo(email);
    assert.deepEqual((await browser.post('/password/reset', { token, password: own })).body, { state: 'signed_in' });
    return browser;
  },
};

async function mailedTo(email: string): Promise<string> {
  const token = () => /#([\w-]{43})/.exec(textTo(email))?.[1];
  return (await eventually(token, (found) => found !== undefined))!;
}

/** Everything that was mailed to an address, with its soft line breaks undone. */
function textTo(email: string): string {
  const own = mail.received.filter(({ to }) => to.includes(email));
  return own.map(({ source }) => source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')).join('\n');
}

describe('the first proof of an address', () => {
  for (const [name, prove] of Object.entries(proofs)) {
    it(`ends all that another admin made of it: ${name}`, async () => {
      const squatter = await squat();
      const oldReset = await operatorLink('reset', squatter.email);
      const browser = await prove(squatter);
      await assertLockedOut(squatter);
      const { body } = await browser.get('/session');
      assert.equal(body.person.email, squatter.email);
      assert.deepEqual(body.person.proof.ended, ['password', 'passkeys', 'authenticator', 'sessions']);
      assert.deepEqual([body.person.has_totp, body.person.has_passkey], [false, false]);
      const reused = await openBrowser(majlis).post('/password/reset', { token: oldReset, password: theirs });
      assert.equal(reused.status, 404);
      const { body: audit } = await evilAdmin.at('GET', '/audit?action=proveAddress');
      assert.deepEqual(audit.data[0].details.ended, body.person.proof.ended);
      await eventually(
        () =>
          [...majlis.log, ...mailing.log].filter(
            (line) => line.includes(body.person.id.slice(4)) || /what the account had/.test(line),
          ),
        (lines) => lines.length > 0,
      );
    });
  }

  it('is told to the person by e-mail', async () => {
    const squatter = await squat();
    await proofs['a reset by the operator']!(squatter);
    // Either of the two processes may have taken the job; the one without a mail server logs it.
    const isLogged = () =>
      majlis.log.some((line) => line.includes(squatter.email) && /address is confirmed/.test(line));
    const isMailed = () => /address is confirmed[\s\S]*- the passkeys/.test(textTo(squatter.email));
    await eventually(
      () => isLogged() || isMailed(),
      (isTold) => isTold,
    );
  });

  it('happens once: a later link or sign-in leaves the own password, passkey and app', async () => {
    const squatter = await squat();
    const browser = await proofs['a reset by the operator']!(squatter);
    const device = createAuthenticator({ origin });
    const { body: begun } = await browser.post('/passkeys/begin');
    await browser.post('/passkeys', { name: 'Own', response: device.register(begun.options) });
    await visitProvider(squatter.email);
    assert.equal((await browser.get('/session')).status, 200);
    const session = await visitProvider(squatter.email);
    const { body } = await session.get('/session');
    assert.deepEqual([body.person.has_password, body.person.has_passkey], [true, true]);
    const signedIn = await openBrowser(majlis).post('/sign-in', { email: squatter.email, password: own });
    assert.deepEqual(signedIn.body, { state: 'signed_in' });
  });

  it('comes before what was on its way: nothing of the squatter is left after it', async () => {
    const squatter = await squat();
    const { email, session, halfway, device, secret, recovery_codes } = squatter;
    const token = await operatorLink('reset', email);
    const late = createAuthenticator({ origin });
    const { body: begun } = await session.post('/passkeys/begin');
    const stranger = openBrowser(majlis);
    const { body: asked } = await stranger.post('/sign-in/passkey/begin');
    const [typed, owner] = [openBrowser(majlis), openBrowser(majlis)];
    const person = `select 1 from people where email = '${email}' for update`;
    const [proof, ...others] = await whileHeld(majlis, person, async () => {
      const proving = owner.post('/password/reset', { token, password: own });
      await untilWaiting(majlis, 1, lockPerson);
      const tries = [
        typed.post('/sign-in', { email, password: theirs }),
        stranger.post('/sign-in/passkey', device.prove(asked.options)),
        halfway.post('/sign-in/code', { code: recovery_codes[0] }),
        session.post('/passkeys', { name: 'Late', response: late.register(begun.options) }),
        session.request('PUT', '/password', { password: 'the last word of theirs' }),
        session.request('DELETE', '/totp'),
        session.post('/totp'),
        session.request('PATCH', '/profile', { name: 'Theirs' }),
      ];
      await untilWaiting(majlis, 1 + tries.length, lockPerson);
      return [proving, ...tries];
    }).then((answers) => Promise.all(answers));
    assert.deepEqual(proof!.body, { state: 'signed_in' });
    assert.deepEqual(
      others.map(({ status }) => status),
      others.map(() => 401),
    );
    for (const browser of [typed, stranger, halfway, session]) {
      assert.equal((await browser.get('/session')).status, 401);
    }
    const { body } = await owner.get('/session');
    assert.deepEqual([body.person.has_totp, body.person.has_passkey], [false, false]);
    assert.equal((await openBrowser(majlis).post('/sign-in', { email, password: own })).status, 200);
    assert.ok(secret);
  });
});

it('a reset of a proven person ends the sign-in that awaits the code of their app, also one on its way', async () => {
  const member = await joinWorkspace(majlis, good, { role: 'agent' });
  const { body: setup } = await member.post('/totp');
  const app = new TOTP({ secret: Secret.fromBase32(setup.secret) });
  const enabled = await member.request('PUT', '/totp', { code: app.generate({ timestamp: await now() }) });
  const halfway = openBrowser(majlis);
  assert.deepEqual((await halfway.post('/sign-in', { email: member.email, password })).body, {
    state: 'second_factor',
  });
  const token = await operatorLink('reset', member.email);
  const lock = `select 1 from people where email = '${member.email}' for update`;
  const [reset, late] = await whileHeld(majlis, lock, async () => {
    const resetting = openBrowser(majlis).post('/password/reset', { token, password: own });
    await untilWaiting(majlis, 1, lockPerson);
    const proving = halfway.post('/sign-in/code', { code: enabled.body.recovery_codes[0] });
    await untilWaiting(majlis, 2, lockPerson);
    return [resetting, proving];
  }).then((answers) => Promise.all(answers));
  assert.deepEqual(reset!.body, { state: 'second_factor' });
  assertRefused(late!, 401, 'sign_in_failed');
});

describe('a link that an admin gives away by hand', () => {
  it('opens no second workspace to an account whose address nobody proved', async () => {
    const { email, session } = await squat();
    const token = await inviteByHand(goodAdmin, email);
    assertRefused(await session.post('/invitations/accept', { token }), 409, 'address_unproven');
    const typed = await openBrowser(majlis).post('/invitations/accept', { token, password: theirs });
    assertRefused(typed, 409, 'address_unproven');
    const { body } = await session.get('/session');
    assert.equal(body.workspaces.length, 1);
  });

  it('lets a former member back into the workspace that made the account', async () => {
    const { email, session } = await squat();
    const { body } = await session.get('/session');
    assert.equal((await evilAdmin.at('DELETE', `/members/${body.workspaces[0].user_id}`)).status, 204);
    const token = await inviteByHand(evilAdmin, email);
    assert.equal((await session.post('/links/read', { token })).body.is_yours, true);
    assert.equal((await session.post('/invitations/accept', { token })).status, 200);
    assert.equal((await session.get('/session')).body.workspaces.length, 1);
  });

  it('sets no password of an account that exists, and opens it with its own', async () => {
    const member = await joinWorkspace(majlis, good, { role: 'agent' });
    const token = await inviteByHand(evilAdmin, member.email);
    const set = await openBrowser(majlis).post('/invitations/accept', { token, name: 'X', password: own });
    assertRefused(set, 401, 'sign_in_failed');
    assert.equal((await member.get('/session')).status, 200);
    const joined = await openBrowser(majlis).post('/invitations/accept', { token, password });
    assert.deepEqual([joined.status, joined.body], [200, { state: 'signed_in' }]);
    assert.equal((await member.get('/session')).body.workspaces.length, 2);
  });

  it('does not tell whether its address has an account', async () => {
    const member = await joinWorkspace(majlis, good, { role: 'agent' });
    const [known, unknown] = await Promise.all(
      [member.email, 'nobody@b.example'].map(async (email) => {
        const token = await inviteByHand(evilAdmin, email);
        const read = await openBrowser(majlis).post('/links/read', { token });
        const tried = await openBrowser(majlis).post('/invitations/accept', { token, password: 'a wrong password' });
        return { read: Object.keys(read.body), tried: [tried.status, tried.body] };
      }),
    );
    assert.deepEqual(known, unknown);
    assert.equal(known!.tried[0], 401);
  });
});
