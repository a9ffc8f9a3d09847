import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startIssuer, visitIssuer } from '@majlis/testing/identity-provider';
import { joinWorkspace, makeToken, openBrowser } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const origin = 'https://desk.example';
const callback = '/sign-in/oidc/callback';
const issuer = await startIssuer({ redirect_uri: `${origin}/console/v1${callback}` });
const majlis = await startTestService({ env: { PUBLIC_URL: origin, ...issuer.settings } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);

/** The account at the issuer visits with an address, and opens an invitation where there is one. Answers where it ends. */
async function visit(sub: string, email: string, invitation?: string) {
  const browser = openBrowser(majlis);
  issuer.account = { sub, claims: { email, email_verified: true, name: 'Sara' } };
  const { body } = await browser.post('/sign-in/oidc', { ...(invitation && { invitation }) });
  const { search } = await visitIssuer(issuer, body.url);
  const back = await browser.request('GET', callback + search, undefined, { 'sec-fetch-site': 'cross-site' });
  return { location: back.headers.get('location'), browser };
}

describe('an invitation to an address that the issuer gave to another account', () => {
  it('gives a member of the workspace its role, and makes no second member of them', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await visit('renamed', agent.email);
    const { body } = await owner.at('POST', '/invitations', { email: 'renamed@acme.example', role: 'supervisor' });
    const invitation = new URL(body.link).hash.slice(1);
    const { location, browser } = await visit('renamed', 'renamed@acme.example', invitation);
    assert.equal(location, `${origin}/`);
    const [membership] = (await browser.get('/session')).body.workspaces;
    assert.deepEqual([membership.user_id, membership.role], [agent.user_id, 'supervisor']);
    assert.equal((await openBrowser(majlis).post('/links/read', { token: invitation })).status, 404);
  });

  it('takes no member away from the person who had the address before', async () => {
    const former = await joinWorkspace(majlis, workspace, { role: 'supervisor', email: 'desk@acme.example' });
    const elsewhere = await majlis.workspace();
    const heir = await joinWorkspace(majlis, elsewhere, { role: 'agent' });
    await visit('heir', heir.email);
    const order = {
      kind: 'invitation',
      workspace: workspace.applied.workspace.name,
      email: former.email,
      role: 'agent',
    };
    const { location } = await visit('heir', former.email, await makeToken(majlis, order));
    assert.equal(location, `${origin}/?failed=already_member`);
    const [membership] = (await former.get('/session')).body.workspaces;
    assert.deepEqual([membership.user_id, membership.role], [former.user_id, 'supervisor']);
  });
});
