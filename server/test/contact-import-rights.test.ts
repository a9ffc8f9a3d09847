import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const colleague = await joinWorkspace(majlis, workspace, { role: 'supervisor' });

const contactOf = (name: string, digits = newDigits()) => ({
  name,
  identities: [{ channel_type: 'chatapp', identifier: `+${digits}` }],
});

/** Hands over a file of one contact. */
async function handOver(member: Member, contact: ReturnType<typeof contactOf>): Promise<string> {
  const file = { file_name: 'people.csv', header: ['Phone', 'Name'], rows_total: 1 };
  const created = await member.at('POST', '/contact-imports', file);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const cells = [contact.identities[0]!.identifier, contact.name];
  const rows = [{ line: 0, contact, cells }];
  assert.equal((await member.at('POST', `/contact-imports/${created.body.id}/rows`, { rows })).status, 200);
  return created.body.id;
}
const start = (member: Member, id: string) => member.at('POST', `/contact-imports/${id}/start`);
const listStates = async () => (await owner.at('GET', '/contact-imports')).body.data as AnyJson[];
const untilOver = async (ids: readonly string[]) => {
  const states = await eventually(listStates, (found) =>
    ids.every((id) => found.some((one) => one.id === id && one.status !== 'running')),
  );
  return ids.map((id) => states.find((one) => one.id === id)!);
};

it('an import goes on with the rights that the person who started it has then', async () => {
  const held = contactOf('Held');
  await owner.at('POST', '/contacts', held);
  const changes: Record<string, (member: Member) => ReturnType<Member['at']>> = {
    Removed: ({ user_id }) => owner.at('DELETE', `/members/${user_id}`),
    Lowered: ({ user_id }) => owner.at('PATCH', `/members/${user_id}`, { role: 'agent' }),
    Limited: ({ user_id }) => owner.at('PATCH', `/members/${user_id}`, { own_teams_only: true }),
    Unharmed: ({ user_id }) => owner.at('PATCH', `/members/${user_id}`, { role: 'supervisor' }),
  };
  const ids = await whileHeld(majlis, `select from contacts where name = 'Held' for update`, async () => {
    // The imports of a workspace follow each other, so those behind the first one wait for the contact too.
    await start(colleague, await handOver(colleague, held));
    await untilWaiting(majlis, 1, 'contact_identities');
    const started: string[] = [];
    for (const [name, change] of Object.entries(changes)) {
      const member = await joinWorkspace(majlis, workspace, { role: 'admin' });
      const id = await handOver(member, contactOf(`${name} meanwhile`));
      assert.equal((await start(member, id)).body.status, 'running');
      assert.ok((await change(member)).status < 300);
      started.push(id);
    }
    return started;
  });
  assert.deepEqual(
    (await untilOver(ids)).map(({ status, created, rows_done }) => [status, created, rows_done]),
    [...Array.from({ length: 3 }, () => ['cancelled', 0, 0]), ['done', 1, 1]],
  );
  const names = ['Removed', 'Lowered', 'Limited'].map((name) => `${name} meanwhile`);
  assert.deepEqual(await searchDatabase(majlis, names), []);
});

it('an import that a colleague starts is theirs, whatever became of the person who handed it over', async () => {
  const member = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
  const id = await handOver(member, contactOf('Taken over'));
  assert.equal((await owner.at('DELETE', `/members/${member.user_id}`)).status, 204);
  assert.equal((await start(colleague, id)).body.user.id, colleague.user_id);
  const [state] = await untilOver([id]);
  assert.deepEqual([state!.status, state!.created, state!.user.id], ['done', 1, colleague.user_id]);
});
