import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { joinWorkspace, password } from '@majlis/testing/people';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const people = {
  admin: await joinWorkspace(majlis, workspace, { role: 'admin' }),
  supervisor: await joinWorkspace(majlis, workspace, { role: 'supervisor' }),
  agent: await joinWorkspace(majlis, workspace, { role: 'agent' }),
};

describe('the members of a workspace', () => {
  describe('and their API keys', () => {
    it('are shown in full once, work, and end when they are revoked', async () => {
      const made = await people.admin.at('POST', '/api-keys', {
        name: 'shop',
        environment: 'test',
        scopes: ['contacts:read'],
      });
      assert.equal(made.status, 201);
      const api = createApi(majlis.url, made.body.key);
      assert.deepEqual((await api.get('/me')).body.scopes, ['contacts:read']);
      const listed = await people.admin.at('GET', '/api-keys');
      assert.ok(!JSON.stringify(listed.body).includes(made.body.key));
      const again = await people.admin.at('POST', '/api-keys', { name: 'shop', environment: 'test', scopes: [] });
      assert.deepEqual([again.status, again.body.errors[0].pointer], [422, '/name']);
      assert.equal((await people.admin.at('DELETE', `/api-keys/${made.body.api_key.id}`)).status, 204);
      assert.equal((await api.get('/me')).status, 401);
    });

    it('are made, read and revoked by admins and owners alone, whatever the table of operations says', async () => {
      const key = { name: 'own', environment: 'test', scopes: [] };
      for (const role of ['agent', 'supervisor'] as const) {
        const answers = [
          await people[role].at('POST', '/api-keys', key),
          await people[role].at('GET', '/api-keys'),
          await people[role].at('DELETE', '/api-keys/x'),
        ];
        for (const { status, body } of answers) assert.deepEqual([status, body.code], [403, 'role_insufficient']);
      }
    });

    it('tell when they were last used, to the minute', async () => {
      const { admin } = people;
      const body = { name: 'used', environment: 'test', scopes: [] };
      const { key, api_key } = (await admin.at('POST', '/api-keys', body)).body;
      const used = async (): Promise<string | undefined> =>
        (await admin.at('GET', '/api-keys')).body.data.find(({ id }: { id: string }) => id === api_key.id).last_used_at;
      assert.equal(await used(), undefined);
      await createApi(majlis.url, key).get('/stages');
      const first = await eventually(used, (at) => at !== undefined);
      await createApi(majlis.url, key).get('/stages');
      assert.equal(await used(), first);
      await majlis.advance(120);
      await createApi(majlis.url, key).get('/stages');
      await eventually(used, (at) => Date.parse(at!) - Date.parse(first!) >= 120_000);
    });

    it('need a recent proof of identity', async () => {
      await majlis.advance(601);
      const make = () => people.admin.at('POST', '/api-keys', { name: 'later', environment: 'test', scopes: [] });
      assert.equal((await make()).body.code, 'confirmation_required');
      await people.admin.post('/confirm', { password });
      assert.equal((await make()).status, 201);
    });
  });

  it('leave a record of what they did, which names no secret', async () => {
    const { body: contact } = await people.agent.at('POST', '/contacts', {
      name: 'Muna',
      identities: [{ channel_type: 'chatapp', identifier: '+96891234572' }],
    });
    await people.agent.at('PATCH', `/contacts/${contact.id}`, { name: 'Muna Said' });
    // A message names its author itself.
    const sent = await people.agent.at('POST', '/messages', { to: '+96891234572', ...templateMessage });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    const { body } = await people.admin.at('GET', `/audit?user_id=${people.agent.user_id}&limit=2`);
    assert.deepEqual(
      body.data.map((entry: { action: string; targets: object }) => [entry.action, entry.targets]),
      [
        ['updateContact', { contact_id: contact.id }],
        ['upsertContact', {}],
      ],
    );
    assert.ok(body.data.every((entry: object) => !('details' in entry)));
    const all = JSON.stringify((await people.admin.at('GET', '/audit?limit=100')).body);
    // The prefix of a key is no secret.
    assert.ok(all.includes('createApiKey') && !/mj_test_\w{20}/.test(all));
    for (const { key } of workspace.applied.api_keys) assert.ok(!all.includes(key));
    const elsewhere = await joinWorkspace(majlis, await majlis.workspace());
    await elsewhere.at('POST', '/api-keys', { name: 'own', environment: 'test', scopes: [] });
    const { body: log } = await elsewhere.at('GET', '/audit?limit=100');
    assert.deepEqual(
      log.data.map((entry: { action: string }) => entry.action),
      ['createApiKey'],
    );
  });

  it('do not record a repeated write twice', async () => {
    const path = `/workspaces/${workspace.id}/custom-fields`;
    const headers = { 'idempotency-key': 'field-1' };
    const make = () => people.admin.request('POST', path, { key: 'size', label: 'Size', type: 'text' }, headers);
    await make();
    await make();
    const { body } = await people.admin.at('GET', '/audit?action=createCustomField');
    assert.equal(body.data.length, 1);
  });
});
