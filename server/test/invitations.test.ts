import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Role } from '@majlis/console-api';
import { joinWorkspace, type Member, openBrowser, password } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const people = {
  owner: await joinWorkspace(majlis, workspace),
  admin: await joinWorkspace(majlis, workspace, { role: 'admin' }),
};

describe('the members of a workspace', () => {
  const codeOf = async (answer: Promise<{ status: number; body: { code?: string } }>) => (await answer).body?.code;

  it('invite others, up to their own role', async () => {
    const invited = await people.admin.at('POST', '/invitations', { email: 'New@Acme.example', role: 'agent' });
    assert.equal(invited.status, 201);
    assert.equal(
      await codeOf(people.admin.at('POST', '/invitations', { email: 'a@b.example', role: 'owner' })),
      'role_insufficient',
    );
    const open = await people.admin.at('GET', '/invitations');
    assert.deepEqual(
      open.body.data.map((one: { email: string }) => one.email),
      ['new@acme.example'],
    );
    const token = invited.body.link.split('#')[1];
    const browser = openBrowser(majlis);
    const details = await browser.post('/links/read', { token });
    assert.deepEqual([details.body.email, details.body.role], ['new@acme.example', 'agent']);
    assert.equal((await browser.post('/invitations/accept', { token, name: 'New', password })).status, 200);
    assert.equal(
      await codeOf(people.admin.at('POST', '/invitations', { email: 'new@acme.example', role: 'agent' })),
      'already_member',
    );
  });

  it('invite the address of a user whom the workspace file named, and who has no account yet', async () => {
    const shop = await majlis.workspace();
    const owner = await joinWorkspace(majlis, shop);
    const { status, body } = await majlis.operator('PUT', '/workspaces', {
      workspace: { name: shop.applied.workspace.name },
      users: [{ name: 'Sara', email: 'sara@shop.example', role: 'agent' }],
    });
    assert.equal(status, 200, JSON.stringify(body));
    const invited = await owner.at('POST', '/invitations', { email: 'Sara@shop.example', role: 'agent' });
    assert.equal(invited.status, 201, JSON.stringify(invited.body));
  });

  it('invite addresses that mail servers take, and no others', async () => {
    const longest = `${'a'.repeat(241)}@wide.example`;
    const refused = ['nobody', 'a@b@c.example', 'a b@c.example', 'a@', '@b.example', `a${longest}`];
    const unseen = ['\u200b', '\u202e', '\u2066', '\u00ad', '\u0007', '\u3164'];
    refused.push(...unseen.map((sign) => `sara${sign}@b.example`));
    for (const email of refused) {
      const { status, body } = await people.admin.at('POST', '/invitations', { email, role: 'agent' });
      assert.deepEqual([status, body.errors?.[0].pointer], [422, '/email'], email);
    }
    const taken = await people.admin.at('POST', '/invitations', { email: longest, role: 'agent' });
    assert.equal(taken.status, 201);
    const withdraw = async () => (await people.admin.at('DELETE', `/invitations/${taken.body.invitation.id}`)).status;
    assert.deepEqual([await withdraw(), await withdraw()], [204, 404]);
  });

  it('replace an open invitation by inviting again', async () => {
    const invite = async (role: Role) => {
      const { body } = await people.admin.at('POST', '/invitations', { email: 'again@acme.example', role });
      return body.link.split('#')[1];
    };
    const [older, newer] = [await invite('admin'), await invite('agent')];
    const read = async (token: string) => (await openBrowser(majlis).post('/links/read', { token })).status;
    assert.deepEqual([await read(older), await read(newer)], [404, 200]);
    const { data } = (await people.admin.at('GET', '/invitations')).body;
    const open = data.filter((one: { email: string }) => one.email === 'again@acme.example');
    assert.deepEqual(
      open.map(({ role }: { role: string }) => role),
      ['agent'],
    );
  });

  it('leave no invitations behind that they could not make now', async () => {
    const [removed, lowered] = [
      await joinWorkspace(majlis, workspace, { role: 'admin' }),
      await joinWorkspace(majlis, workspace, { role: 'owner' }),
    ];
    const invite = async (member: Member, email: string, role: Role) => {
      const { body } = await member.at('POST', '/invitations', { email, role });
      return {
        state: async () => (await openBrowser(majlis).post('/links/read', { token: body.link.split('#')[1] })).status,
      };
    };
    const ofRemoved = await invite(removed, 'one@acme.example', 'agent');
    const ofOthers = await invite(people.admin, 'two@acme.example', 'agent');
    const [asOwner, asAdmin] = [
      await invite(lowered, 'three@acme.example', 'owner'),
      await invite(lowered, 'four@acme.example', 'agent'),
    ];
    await people.admin.at('DELETE', `/members/${removed.user_id}`);
    assert.deepEqual([await ofRemoved.state(), await ofOthers.state()], [404, 200]);
    await people.owner.at('PATCH', `/members/${lowered.user_id}`, { role: 'admin' });
    assert.deepEqual([await asOwner.state(), await asAdmin.state()], [404, 200]);
    await people.owner.at('PATCH', `/members/${lowered.user_id}`, { role: 'supervisor' });
    assert.equal(await asAdmin.state(), 404);
  });

  it('withdraw an invitation', async () => {
    const { body } = await people.admin.at('POST', '/invitations', { email: 'gone@acme.example', role: 'agent' });
    assert.equal((await people.admin.at('DELETE', `/invitations/${body.invitation.id}`)).status, 204);
    const token = body.link.split('#')[1];
    assert.equal((await openBrowser(majlis).post('/links/read', { token })).status, 404);
  });
});
