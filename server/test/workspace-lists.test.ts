import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const stages = [{ name: 'Lead', emoji: '🌱' }, { name: 'Offer' }, { name: 'Won' }];
const closing_categories = [{ name: 'Solved' }, { name: 'Spam' }];
const steps = [{ do: 'set_stage', stage: 'Offer' }];
const workflows = [{ name: 'Offer it', status: 'published', trigger: 'api_call', steps }];
const workspace = await majlis.workspace({ stages, closing_categories, workflows });
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const apply = async (file: object) =>
  (await majlis.operator('PUT', '/workspaces', { workspace: { name: workspace.applied.workspace.name }, ...file }))
    .body;
const list = async (path = '/stage-entries'): Promise<AnyJson> => (await admin.at('GET', path)).body;
const names = async (path?: string): Promise<string[]> => (await list(path)).data.map(({ name }: AnyJson) => name);
const entry = async (name: string, path?: string) => (await list(path)).data.find((one: AnyJson) => one.name === name);

async function contact(fields: object): Promise<string> {
  const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
  const { status, body } = await workspace.api.post('/contacts', { identities, ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}
const read = async (id: string) => (await workspace.api.get(`/contacts/${id}`)).body;

describe('stages', () => {
  it('are added, changed and put in another order, each unless somebody else did', async () => {
    const added = await admin.at('POST', '/stages', { name: 'Lost', emoji: '🥀' });
    assert.deepEqual([added.status, added.body.emoji], [201, '🥀']);
    const { id, version } = added.body;
    const changed = await admin.at('PATCH', `/stages/${id}`, { version, name: 'Gone', emoji: null });
    assert.deepEqual([changed.status, changed.body.name, changed.body.emoji], [200, 'Gone', undefined]);
    const stale = await admin.at('PATCH', `/stages/${id}`, { version, name: 'Away' });
    assert.deepEqual([stale.status, stale.body.code], [409, 'changed_meanwhile']);
    const taken = await admin.at('PATCH', `/stages/${id}`, { version: changed.body.version, name: 'Won' });
    assert.deepEqual([taken.status, taken.body.errors[0].pointer], [422, '/name']);

    const before = await list();
    const ids = before.data.map((one: AnyJson) => one.id).toReversed();
    const ordered = await admin.at('PUT', '/stage-order', { version: before.version, ids });
    assert.equal(ordered.status, 200);
    assert.deepEqual(await names(), ['Gone', 'Won', 'Offer', 'Lead']);
    const again = await admin.at('PUT', '/stage-order', { version: before.version, ids });
    assert.deepEqual([again.status, again.body.code], [409, 'changed_meanwhile']);
    const few = await admin.at('PUT', '/stage-order', { version: ordered.body.version, ids: ids.slice(1) });
    assert.equal(few.status, 422);
    // The contract's list follows.
    assert.deepEqual(
      (await workspace.api.get('/stages')).body.map(({ name }: AnyJson) => name),
      ['Gone', 'Won', 'Offer', 'Lead'],
    );
  });

  it('give what they have to another stage, and say before how much', async () => {
    const offer = await entry('Offer');
    const won = await entry('Won');
    const inOffer = await contact({ stage_id: offer.id });
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    await admin.at('PUT', `/conversations/${conversation_id}/stage`, { stage_id: offer.id });
    const use = await admin.at('GET', `/stages/${offer.id}/use`);
    assert.deepEqual(use.body, { contacts: 1, conversations: 1, broadcasts: 0, workflows: 1 });
    const self = await admin.at('DELETE', `/stages/${offer.id}?version=${offer.version}&replacement_id=${offer.id}`);
    assert.equal(self.status, 422);
    assert.ok(await entry('Offer'));
    const path = `/stages/${offer.id}?version=${offer.version}&replacement_id=${won.id}`;
    assert.equal((await admin.at('DELETE', path)).status, 204);
    assert.equal((await read(inOffer)).stage_id, won.id);
    assert.equal((await admin.at('GET', `/conversations/${conversation_id}`)).body.stage_id, won.id);
    assert.equal((await admin.at('PATCH', `/contacts/${inOffer}`, { stage_id: offer.id })).status, 422);
    const [act] = (await admin.at('GET', '/audit')).body.data;
    assert.equal(act.action, 'deleteStage');
  });

  it('leave what they have without a stage', async () => {
    const gone = await entry('Gone');
    const id = await contact({ stage_id: gone.id });
    assert.equal((await admin.at('DELETE', `/stages/${gone.id}?version=${gone.version}`)).status, 204);
    assert.equal((await read(id)).stage_id ?? null, null);
  });

  it('stay as people changed them when the workspace file is applied again', async () => {
    const lead = await entry('Lead');
    await admin.at('PATCH', `/stages/${lead.id}`, { version: lead.version, name: 'New', emoji: '✨' });
    const applied = await apply({ stages: [...stages, { name: 'Loyal' }] });
    assert.deepEqual(applied.kept, [
      { stage: 'Lead', member: 'name', value: 'New', in_file: 'Lead' },
      { stage: 'Lead', member: 'emoji', value: '✨', in_file: '🌱' },
      { stage: 'Offer', member: 'stage', value: 'removed', in_file: 'Offer' },
      { stage: 'New', member: 'order', value: 'Won, New', in_file: 'New, Won' },
    ]);
    assert.deepEqual((await names()).toSorted(), ['Loyal', 'New', 'Won']);
    assert.equal(applied.stages[0].id, lead.id);
  });
});

describe('closing reasons', () => {
  it('are added, renamed, ordered and removed; past closings keep their name', async () => {
    const path = '/closing-entries';
    const { body: added } = await admin.at('POST', '/closing-categories', { name: 'Refund' });
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    await admin.at('POST', `/conversations/${conversation_id}/close`, { category_id: added.id });
    const renamed = await admin.at('PATCH', `/closing-categories/${added.id}`, {
      version: added.version,
      name: 'Money back',
    });
    assert.equal(renamed.status, 200);
    const before = await list(path);
    const ids = before.data.map(({ id }: AnyJson) => id).toReversed();
    assert.equal((await admin.at('PUT', '/closing-order', { version: before.version, ids })).status, 200);
    assert.deepEqual(await names(path), ['Money back', 'Spam', 'Solved']);
    const use = await admin.at('GET', `/closing-categories/${added.id}/use`);
    assert.deepEqual(use.body, { closings: 1, workflows: 0 });
    const removal = `/closing-categories/${added.id}?version=${renamed.body.version}`;
    assert.equal((await admin.at('DELETE', removal)).status, 204);
    assert.deepEqual(await names(path), ['Spam', 'Solved']);
    const changes = JSON.stringify((await admin.at('GET', `/conversations/${conversation_id}/thread`)).body);
    assert.ok(changes.includes('Money back'), changes);
    const { body: kept } = { body: await apply({ closing_categories }) };
    assert.deepEqual(kept.kept, [
      { closing_category: 'Solved', member: 'order', value: 'Spam, Solved', in_file: 'Solved, Spam' },
    ]);
  });
});

describe('a custom field', () => {
  it('is changed, and deleted with the values of contacts, whose number was told before', async () => {
    await admin.at('POST', '/custom-fields', { key: 'branch', type: 'select', options: ['Mutrah'] });
    await admin.at('POST', '/custom-fields', { key: 'size', type: 'number' });
    const fields = async () => (await admin.at('GET', '/custom-field-entries')).body.data as AnyJson[];
    const [branch] = await fields();
    const change = { key: 'branch', version: branch.version, label: 'Branch', options: ['Mutrah', 'Seeb'] };
    const changed = await admin.at('PATCH', '/custom-fields', change);
    assert.deepEqual(changed.body.field, { key: 'branch', label: 'Branch', type: 'select', options: change.options });
    const stale = await admin.at('PATCH', '/custom-fields', { ...change, label: 'Shop' });
    assert.equal(stale.body.code, 'changed_meanwhile');
    const { version: sizeVersion } = (await fields())[1];
    const noChoice = await admin.at('PATCH', '/custom-fields', { key: 'size', version: sizeVersion, options: ['1'] });
    assert.deepEqual([noChoice.status, noChoice.body.errors[0].pointer], [422, '/options']);

    const id = await contact({ custom_fields: { branch: 'Seeb', size: 3 } });
    assert.deepEqual((await admin.at('GET', '/custom-field-use?key=branch')).body, { contacts: 1, workflows: 0 });
    assert.equal((await admin.at('GET', '/custom-field-use?key=nowhere')).status, 404);
    const { version } = changed.body;
    assert.equal((await admin.at('DELETE', `/custom-fields?key=branch&version=${version}`)).status, 204);
    assert.deepEqual((await read(id)).custom_fields, { size: 3 });
    assert.deepEqual(
      (await fields()).map(({ field }) => field.key),
      ['size'],
    );
  });
});

describe('a tag', () => {
  const tags = async () =>
    Object.fromEntries((await admin.at('GET', '/tags')).body.data.map((one: AnyJson) => [one.name, one.contacts]));

  it('is renamed, merged into another and taken away', async () => {
    const both = await contact({ tags: ['vip', 'gold'] });
    const one = await contact({ tags: ['vip'] });
    const renamed = await admin.at('POST', '/tag-replacements', { tag: 'vip', to: 'regular' });
    assert.deepEqual(renamed.body, { contacts: 2 });
    assert.deepEqual((await read(both)).tags, ['regular', 'gold']);
    // The person has not been told that contacts have the other tag.
    const refused = await admin.at('POST', '/tag-replacements', { tag: 'regular', to: 'gold' });
    assert.deepEqual([refused.status, refused.body.code], [409, 'changed_meanwhile']);
    await admin.at('POST', '/tag-replacements', { tag: 'regular', to: 'gold', merges: true });
    assert.deepEqual([(await read(both)).tags, (await read(one)).tags], [['gold'], ['gold']]);
    assert.deepEqual((await admin.at('GET', '/tag-use?tag=gold')).body, { contacts: 2, broadcasts: 0, workflows: 0 });
    await admin.at('POST', '/tag-replacements', { tag: 'gold', to: null });
    assert.deepEqual([(await read(both)).tags, await tags()], [[], {}]);
    const gone = await admin.at('POST', '/tag-replacements', { tag: 'gold', to: null });
    assert.equal(gone.status, 404);
  });

  it('is renamed to neither nothing nor itself', async () => {
    const id = await contact({ tags: ['plain'] });
    for (const to of ['', ' ', 'plain', ' plain ']) {
      const { status, body } = await admin.at('POST', '/tag-replacements', { tag: 'plain', to });
      assert.deepEqual([status, body.errors[0].pointer], [422, '/to'], to);
    }
    assert.deepEqual((await read(id)).tags, ['plain']);
    await admin.at('POST', '/tag-replacements', { tag: 'plain', to: null });
  });

  it('is renamed in more contacts than one statement changes', async () => {
    const contacts = Array.from({ length: 2_100 }, () => ({
      identities: [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }],
      tags: ['crowd'],
    }));
    for (let at = 0; at < contacts.length; at += 1_000) {
      const { body } = await workspace.api.post('/contacts/import', { contacts: contacts.slice(at, at + 1_000) });
      assert.deepEqual(body.failed, []);
    }
    const { body } = await admin.at('POST', '/tag-replacements', { tag: 'crowd', to: 'many' });
    const before = body.contacts;
    await eventually(tags, (found) => found.many === before && found.crowd === undefined);
  });
});
