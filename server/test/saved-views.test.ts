import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let agent: Member;
let supervisor: Member;
let stage_id: string;
before(async () => {
  workspace = await majlis.workspace({ stages: [{ name: 'Lead' }] });
  agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
  stage_id = workspace.applied.stages[0].id;
});

const create = (member: Member, body: object) => member.at('POST', '/views', { filter: {}, ...body });
const namesOf = async (member: Member): Promise<string[]> =>
  (await member.at('GET', '/views')).body.data.map(({ name }: { name: string }) => name);

describe('a saved view', () => {
  it('is seen by its person alone, or by all where a supervisor shares it', async () => {
    const filter = { status: 'open', assignee_id: 'me', stage_id, tag: 'vip', q: 'Muna', channel_type: 'chatapp' };
    const own = await create(agent, { name: ' Mine ', filter });
    assert.deepEqual(own.body, { id: own.body.id, name: 'Mine', shared: false, filter, version: own.body.version });
    assert.equal(own.status, 201);
    const shared = await create(supervisor, { name: 'Unassigned', shared: true, filter: { assignee_id: 'none' } });
    assert.equal(shared.status, 201);
    assert.deepEqual([await namesOf(agent), await namesOf(supervisor)], [['Unassigned', 'Mine'], ['Unassigned']]);
    const path = `/views/${own.body.id}`;
    assert.equal((await supervisor.at('PATCH', path, { name: 'Yours' })).status, 404);
    assert.equal((await supervisor.at('DELETE', path)).status, 404);
    assert.equal((await agent.at('DELETE', path)).status, 204);
    assert.deepEqual(await namesOf(agent), ['Unassigned']);
  });

  it('is shared, changed and deleted for all by supervisors alone, on the record', async () => {
    assert.equal((await create(agent, { name: 'Mine for all', shared: true })).body.code, 'role_insufficient');
    const { body } = await create(supervisor, { name: 'VIP', shared: true, filter: { tag: 'vip' } });
    const path = `/views/${body.id}`;
    assert.equal((await agent.at('PATCH', path, { name: 'Mine' })).body.code, 'role_insufficient');
    assert.equal((await agent.at('DELETE', path)).body.code, 'role_insufficient');
    const changed = await supervisor.at('PATCH', path, { name: 'Important', filter: { tag: 'gold' } });
    assert.deepEqual([changed.body.name, changed.body.filter], ['Important', { tag: 'gold' }]);
    assert.equal((await supervisor.at('DELETE', path)).status, 204);
    const owner = await joinWorkspace(majlis, workspace);
    const { body: log } = await owner.at('GET', `/audit?user_id=${supervisor.user_id}&limit=3`);
    assert.deepEqual(
      log.data.map(({ action, targets }: { action: string; targets: { view_id: string } }) => [
        action,
        targets.view_id,
      ]),
      [
        ['deleteSavedView', body.id],
        ['changeSavedView', body.id],
        ['createSavedView', body.id],
      ],
    );
  });

  it('is changed by the first of two who saw the same version', async () => {
    const other = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
    const { body } = await create(supervisor, { name: 'Both', shared: true, filter: { tag: 'vip' } });
    const path = `/views/${body.id}`;
    const { version } = body;
    // A move changes nothing that either of them has written.
    assert.equal((await other.at('PATCH', path, { position: 0 })).body.version, version);
    const first = await supervisor.at('PATCH', path, { version, filter: { tag: 'gold' } });
    const second = await other.at('PATCH', path, { version, name: 'Theirs' });
    assert.deepEqual([first.status, second.status, second.body.code], [200, 409, 'changed_meanwhile']);
    const read = (await other.at('GET', '/views')).body.data.find(({ id }: { id: string }) => id === body.id);
    assert.deepEqual(read, first.body);
    assert.equal((await other.at('PATCH', path, { version: read.version, name: 'Theirs' })).status, 200);
    await supervisor.at('DELETE', path);
  });

  it('takes the filters of the list of conversations, and says what is wrong with others', async () => {
    const faults: [object, string][] = [
      [{ status: 'asleep' }, '/filter/status'],
      [{ channel_type: 'fax' }, '/filter/channel_type'],
      [{ colour: 'red' }, '/filter/colour'],
      [{ limit: 5 }, '/filter/limit'],
      [{ assignee_id: 'usr_nobody' }, '/filter/assignee_id'],
      [{ stage_id: 'nowhere' }, '/filter/stage_id'],
      [{ contact_id: 'ct_nobody' }, '/filter/contact_id'],
    ];
    for (const [filter, pointer] of faults) {
      const { status, body } = await create(agent, { name: 'Faulty', filter });
      assert.deepEqual([status, body.errors?.[0].pointer], [422, pointer], JSON.stringify(body));
    }
    for (const name of ['  ', '\u2063', '\u3164'])
      assert.equal((await create(agent, { name })).body.errors?.[0].pointer, '/name', JSON.stringify(name));
    assert.equal((await create(agent, { name: 'A user', filter: { assignee_id: supervisor.user_id } })).status, 201);
  });

  it('moves to a place in its group, also when two move at once', async () => {
    const cara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await create(cara, { name })).body.id);
    const own = async () => (await namesOf(cara)).filter((name) => name.length === 1).join('');
    await cara.at('PATCH', `/views/${ids[3]}`, { position: 0 });
    assert.equal(await own(), 'dabc');
    await cara.at('PATCH', `/views/${ids[3]}`, { position: 99 });
    assert.equal(await own(), 'abcd');
    // Views of others have no place among them.
    await cara.at('PATCH', `/views/${ids[0]}`, { position: 2 });
    assert.equal(await own(), 'bcad');
    await Promise.all(ids.map((id) => cara.at('PATCH', `/views/${id}`, { position: 0 })));
    const positions = await majlis.sql<{ position: number }>(
      'select position from saved_views v join users u on u.id = v.user_id where u.email = $1 order by position',
      [cara.email],
    );
    assert.deepEqual(
      positions.map(({ position }) => position),
      [0, 1, 2, 3],
    );
  });

  for (const shared of [false, true]) {
    it(`that is ${shared ? 'shared' : 'own'} gets a place of its own when two are made at one moment`, async () => {
      const cara = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
      const names = ['at', 'once'].map((name) => `${name} ${shared}`);
      const row = shared
        ? `select from workspaces where id = '${parseId('workspace', workspace.id)}' for no key update`
        : `select from users where id = '${parseId('user', cara.user_id)}' for no key update`;
      const made = await whileHeld(majlis, row, async () => {
        const answers = names.map((name) => create(cara, { name, shared }));
        await untilWaiting(majlis, 2, shared ? 'from workspaces' : 'from users');
        return { answers: Promise.all(answers) };
      });
      for (const { status } of await made.answers) assert.equal(status, 201);
      const positions = await majlis.sql<{ position: number }>(
        'select distinct position from saved_views where name = any($1)',
        [names],
      );
      assert.equal(positions.length, 2);
    });
  }

  it('is refused beyond 100 of a person', async () => {
    const cara = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await create(cara, { name: 'the first of many' });
    await majlis.sql(
      `insert into saved_views select workspace_id, gen_random_uuid(), user_id, name, filter, contact_id, n
       from saved_views, generate_series(1, 99) n where name = 'the first of many'`,
    );
    const { status, body } = await create(cara, { name: 'one more' });
    assert.deepEqual([status, body.code], [409, 'limit_reached']);
  });

  it('of a contact follows its merge, and ends with its erasure', async () => {
    const owner = await joinWorkspace(majlis, workspace);
    const [kept, gone] = [
      await receiveMessage(majlis, workspace, newDigits()),
      await receiveMessage(majlis, workspace, newDigits()),
    ];
    const { body } = await create(owner, { name: 'About her', filter: { contact_id: gone.contact_id } });
    const stored = async () =>
      (await owner.at('GET', '/views')).body.data.find(({ id }: { id: string }) => id === body.id);
    await owner.at('POST', `/contacts/${kept.contact_id}/merge`, { source_contact_id: gone.contact_id });
    assert.deepEqual((await stored()).filter, { contact_id: kept.contact_id });
    assert.equal((await owner.at('DELETE', `/contacts/${kept.contact_id}`)).status, 204);
    assert.equal(await stored(), undefined);
  });
});
