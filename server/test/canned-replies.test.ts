import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let agent: Member;
let supervisor: Member;
before(async () => {
  workspace = await majlis.workspace({ users: [{ name: 'Noor Said', email: 'noor@acme.example' }] });
  agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
});

const create = (member: Member, body: object) => member.at('POST', '/canned-replies', { body: 'Hello', ...body });
const search = async (member: Member, query: Record<string, string> = {}) =>
  (await member.at('GET', `/canned-replies?${new URLSearchParams(query)}`)).body.data.map(
    ({ name }: { name: string }) => name,
  );

describe('a canned reply', () => {
  it('is made by a person for themselves, or by a supervisor for all', async () => {
    const own = await create(agent, { name: '/mine', body: 'Hello {{contact.first_name}}', language: 'en' });
    assert.equal(own.status, 201, JSON.stringify(own.body));
    assert.deepEqual(own.body, {
      id: own.body.id,
      name: 'mine',
      body: 'Hello {{contact.first_name}}',
      language: 'en',
      shared: false,
      version: own.body.version,
    });
    assert.equal((await create(agent, { name: 'ours', shared: true })).body.code, 'role_insufficient');
    const ours = await create(supervisor, { name: 'ours', shared: true });
    assert.deepEqual([await search(agent), await search(supervisor)], [['mine', 'ours'], ['ours']]);
    assert.equal((await agent.at('PATCH', `/canned-replies/${ours.body.id}`, { body: 'x' })).status, 403);
    assert.equal((await agent.at('DELETE', `/canned-replies/${ours.body.id}`)).status, 403);
    assert.equal((await supervisor.at('DELETE', `/canned-replies/${own.body.id}`)).status, 404);
    const changed = await supervisor.at('PATCH', `/canned-replies/${ours.body.id}`, { body: 'Bye', language: 'ar' });
    assert.deepEqual([changed.status, changed.body.body, changed.body.language], [200, 'Bye', 'ar']);
    const use = async (member: Member, id: string) => {
      const { status, body } = await member.at('GET', `/canned-replies/${id}/use`);
      return [status, body.people];
    };
    // The agent and the supervisor; a colleague who was invited and has not come has nothing to lose.
    assert.deepEqual(await use(supervisor, ours.body.id), [200, 2]);
    assert.deepEqual(await use(agent, own.body.id), [200, 1]);
    assert.deepEqual(await use(supervisor, own.body.id), [404, undefined]);
    const { version } = ours.body;
    const stale = await supervisor.at('PATCH', `/canned-replies/${ours.body.id}`, { version, body: 'Late' });
    assert.deepEqual([stale.status, stale.body.code], [409, 'changed_meanwhile']);
    assert.equal((await supervisor.at('DELETE', `/canned-replies/${ours.body.id}`)).status, 204);
    assert.deepEqual(await search(agent), ['mine']);
  });

  it('is found by the beginning of its name, in any case and Arabic spelling, and by language', async () => {
    const cara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    for (const [name, language] of [
      ['أهلاً', 'ar'],
      ['اهداء', 'ar'],
      ['Hello', 'en'],
      ['help', undefined],
    ] as const) {
      assert.equal((await create(cara, { name, language })).status, 201, name);
    }
    assert.deepEqual(await search(cara, { prefix: '/HEL' }), ['Hello', 'help']);
    assert.deepEqual((await search(cara, { prefix: 'اه' })).sort(), ['أهلاً', 'اهداء'].sort());
    assert.deepEqual(await search(cara, { prefix: 'إهل' }), ['أهلاً']);
    assert.deepEqual(await search(cara, { prefix: 'hel', language: 'ar' }), ['help']);
    assert.deepEqual(await search(cara, { prefix: '%' }), []);
    const first = (await cara.at('GET', '/canned-replies?limit=2')).body;
    const second = (await cara.at('GET', `/canned-replies?limit=2&cursor=${first.next_cursor}`)).body;
    assert.equal(new Set([...first.data, ...second.data].map(({ id }) => id)).size, 4);
  });

  it('has one name in each language, however it is spelled', async () => {
    const cara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    assert.equal((await create(cara, { name: 'مدرسة', language: 'ar' })).status, 201);
    const again = await create(cara, { name: 'مَدرسه', language: 'ar' });
    assert.deepEqual([again.status, again.body.errors[0].pointer], [422, '/name']);
    const other = await create(cara, { name: 'مدرسة', language: 'en' });
    assert.equal(other.status, 201);
    const moved = await cara.at('PATCH', `/canned-replies/${other.body.id}`, { language: 'ar' });
    assert.equal(moved.status, 422);
    const answers = await Promise.all([1, 2, 3].map(() => create(cara, { name: 'same' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422]);
  });

  it('gets no name that another one gets at this moment, made or renamed', async () => {
    const cara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const { body: other } = await create(cara, { name: 'other' });
    const person = `select from users where id = '${parseId('user', cara.user_id)}' for no key update`;
    for (const [name, change] of [
      ['made', () => create(cara, { name: 'made' })],
      ['renamed', () => cara.at('PATCH', `/canned-replies/${other.id}`, { name: 'renamed' })],
    ] as const) {
      const held = await whileHeld(majlis, person, async () => {
        const answers = [create(cara, { name }), change()];
        await untilWaiting(majlis, 2, 'from users');
        return { answers: Promise.all(answers) };
      });
      const statuses = (await held.answers).map(({ status }) => status).sort();
      assert.equal(statuses[1], 422, `${name}: ${statuses}`);
    }
  });

  it('is refused with a sentence that names the variables there are', async () => {
    const { status, body } = await create(agent, {
      name: 'typo',
      body: 'Dear {{contact.nmae}}, {{ agent.name }} here',
    });
    assert.equal(status, 422);
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/body'],
    );
    assert.match(body.errors[0].detail, /unknown variable \{\{contact\.nmae\}\}: use one of \{\{contact\.name\}\}/);
    const open = await create(agent, { name: 'open', body: 'Dear {{contact.name}' });
    assert.match(open.body.errors[0].detail, /without both pairs of braces/);
    const faults: [object, string][] = [
      [{ name: 'two words' }, '/name'],
      [{ name: '/' }, '/name'],
      [{ name: 'ـ' }, '/name'],
      [{ name: 'x'.repeat(33) }, '/name'],
      [{ name: 'empty', body: ' ' }, '/body'],
      [{ name: 'long', body: 'x'.repeat(4_097) }, '/body'],
      [{ name: 'tongue', language: 'not a language' }, '/language'],
    ];
    for (const [reply, pointer] of faults) {
      const refused = await create(agent, reply);
      assert.deepEqual([refused.status, refused.body.errors?.[0].pointer], [422, pointer], JSON.stringify(reply));
    }
  });

  it('is refused beyond 1,000 of a person', async () => {
    const cara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await create(cara, { name: 'many' });
    await majlis.sql(
      `insert into canned_replies select workspace_id, gen_random_uuid(), user_id, name || n, name_key || n, body, language
       from canned_replies, generate_series(1, 999) n where name = 'many'`,
    );
    const { status, body } = await create(cara, { name: 'more' });
    assert.deepEqual([status, body.code], [409, 'limit_reached']);
  });
});
