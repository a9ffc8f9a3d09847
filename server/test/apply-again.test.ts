import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();
const steps = [{ do: 'set_tag', tag: 'welcomed' }];
const workspace = await majlis.workspace({
  workflows: [{ name: 'Welcome', status: 'published', trigger: 'api_call', steps }],
});
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const apply = async (file: object) =>
  (await majlis.operator('PUT', '/workspaces', { workspace: { name: workspace.applied.workspace.name }, ...file }))
    .body;

describe('a workspace file that is applied again', () => {
  it('leaves a member as people changed them, and says so', async () => {
    const member = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await admin.at('PATCH', `/members/${member.user_id}`, { role: 'supervisor' });
    const applyUser = (name: string, role: string) => apply({ users: [{ name, email: member.email, role }] });
    const applied = await applyUser('Another name', 'agent');
    assert.deepEqual(applied.kept, [
      { user: member.email, member: 'name', value: `Person ${member.email}`, in_file: 'Another name' },
      { user: member.email, member: 'role', value: 'supervisor', in_file: 'agent' },
    ]);
    const { body } = await member.get('/session');
    assert.equal(body.workspaces[0].role, 'supervisor');
    assert.equal((await applyUser(`Person ${member.email}`, 'supervisor')).kept, undefined);

    await admin.at('DELETE', `/members/${member.user_id}`);
    assert.deepEqual((await applyUser('Another name', 'owner')).kept, [
      { user: member.email, member: 'membership', value: 'removed', in_file: 'member' },
    ]);
    assert.equal((await member.at('GET', '/members')).status, 404);
  });

  it('leaves the status of a workflow as a person set it, also with another definition', async () => {
    const [{ id }] = workspace.applied.workflows;
    const file = (status: string, of = steps) => ({
      workflows: [{ name: 'Welcome', status, trigger: 'api_call', steps: of }],
    });
    const status = async () => (await workspace.api.get('/workflows')).body.data[0].status;
    // A program's change is none of a person.
    await workspace.api.post(`/workflows/${id}/status`, { status: 'draft' });
    assert.equal((await apply(file('published'))).kept, undefined);
    assert.equal(await status(), 'published');
    await admin.at('POST', `/workflows/${id}/status`, { status: 'paused' });
    const kept = [{ workflow: 'Welcome', member: 'status', value: 'paused', in_file: 'published' }];
    assert.deepEqual((await apply(file('published'))).kept, kept);
    assert.deepEqual((await apply(file('published', [...steps, ...steps]))).kept, kept);
    assert.equal(await status(), 'paused');
    assert.equal((await apply(file('paused'))).kept, undefined);
  });

  it('makes no key again that a person revoked, and changes none that a person made', async () => {
    const keys = [{ name: 'shop', environment: 'live', scopes: ['messages:write', 'contacts:read'] }];
    const made = await apply({ api_keys: keys });
    const shop = createApi(majlis.url, made.api_keys[0].key);
    const { body: listed } = await admin.at('GET', '/api-keys');
    const { id } = listed.data.find(({ name }: { name: string }) => name === 'shop');
    assert.equal((await admin.at('DELETE', `/api-keys/${id}`)).status, 204);
    const again = await apply({ api_keys: keys });
    assert.deepEqual(again.kept, [{ api_key: 'shop', member: 'key', value: 'revoked', in_file: 'live' }]);
    assert.equal(again.api_keys[0].key, undefined);
    assert.equal((await shop.get('/me')).status, 401);

    const own = { name: 'shop', environment: 'test', scopes: ['contacts:read'] };
    const { body } = await admin.at('POST', '/api-keys', own);
    assert.deepEqual((await apply({ api_keys: keys })).kept, [
      { api_key: 'shop', member: 'environment', value: 'test', in_file: 'live' },
      { api_key: 'shop', member: 'scopes', value: 'contacts:read', in_file: 'contacts:read messages:write' },
    ]);
    assert.deepEqual((await createApi(majlis.url, body.key).get('/me')).body.scopes, ['contacts:read']);
    // The operator's word counts: their revocation lets the file make the key.
    await majlis.operator('DELETE', `/workspaces/${workspace.id}/api-keys/shop`);
    const remade = await apply({ api_keys: keys });
    assert.ok(remade.api_keys[0].key && !remade.kept, JSON.stringify(remade));
  });

  it('brings no former member back into a team', async () => {
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const teams = [{ name: 'Care', members: [leaver.email, admin.email] }];
    assert.equal((await apply({ teams })).kept, undefined);
    await admin.at('DELETE', `/members/${leaver.user_id}`);
    assert.deepEqual((await apply({ teams })).kept, [
      { team: 'Care', member: 'members', value: null, in_file: leaver.email },
    ]);
    const { body } = await workspace.api.get('/teams');
    assert.deepEqual(body.data[0].member_ids, [admin.user_id]);
  });

  it('brings no deleted template back, and says so', async () => {
    const name = 'spring_offer';
    const file = {
      templates: [{ name, language: 'en', category: 'marketing', components: [{ type: 'body', text: 'Spring!' }] }],
    };
    const { templates, ...rest } = await apply(file);
    assert.ok(templates, JSON.stringify(rest));
    const [{ id }] = templates;
    assert.equal((await admin.at('DELETE', `/chatapp/templates/${id}`)).status, 204);
    assert.deepEqual((await apply(file)).kept, [
      { template: `${name} (en)`, member: 'template', value: 'deleted', in_file: 'approved' },
    ]);
  });

  it('changes no template that a person made, and says so', async () => {
    const text = 'A text that a person wrote.';
    const made = { name: 'own_words', language: 'en', category: 'utility', components: [{ type: 'body', text }] };
    const { status, body } = await admin.at('POST', '/chatapp/templates', made);
    assert.equal(status, 201);
    // Once the platform knows the template too, the file still changes nothing and says so.
    await eventually(
      async () => (await admin.at('GET', `/chatapp/templates/${body.id}`)).body.status,
      (reviewed) => reviewed === 'approved',
    );
    const inFile = { ...made, components: [{ type: 'body', text: 'A text of the file.' }] };
    const { kept } = await apply({ templates: [inFile] });
    assert.deepEqual(
      kept.map(({ template, member }: AnyJson) => [template, member]),
      [['own_words (en)', 'components']],
    );
    const read = await admin.at('GET', `/chatapp/templates/${body.id}`);
    assert.equal(read.body.components[0].text, text);
  });

  it('names one user by an e-mail address in whichever capitals', async () => {
    const users = [{ name: 'Sara', email: 'Sara@Acme.example', role: 'agent' }];
    const teams = [{ name: 'Sales', members: ['SARA@acme.example'] }];
    const { users: made } = await apply({ users, teams });
    assert.equal(made[0].email, 'sara@acme.example');
    const sara = await joinWorkspace(majlis, workspace, { role: 'agent', email: 'sara@acme.example' });
    assert.equal(sara.user_id, made[0].id);
    assert.equal((await apply({ users: [{ ...users[0], email: 'sARA@acme.example' }] })).users[0].id, made[0].id);
    const twice = await majlis.operator('PUT', '/workspaces', {
      workspace: { name: workspace.applied.workspace.name },
      users: [users[0], { name: 'Sara', email: 'sara@acme.example' }],
    });
    assert.deepEqual([twice.status, twice.body.errors?.[0].pointer], [422, '/users/1/email']);
  });
});
