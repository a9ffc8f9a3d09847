import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { repeatUntil } from '@majlis/testing/repeat-until';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', DOCUMENT_MAX: '40000' } });
const workspace = await majlis.workspace();
const supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
const colleague = await joinWorkspace(majlis, workspace, { role: 'supervisor' });

const header = ['Phone', 'Name'];
const contactOf = (identifier: string, name: string, more: object = {}) => ({
  name,
  identities: [{ channel_type: 'chatapp', identifier }],
  ...more,
});
const rowOf = (line: number, identifier: string, name: string, more?: object) => ({
  line,
  contact: contactOf(identifier, name, more),
  cells: [identifier, name],
});

async function create(rows_total: number, member: Member = supervisor): Promise<string> {
  const { status, body } = await member.at('POST', '/contact-imports', { file_name: 'people.csv', header, rows_total });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}
const add = (id: string, rows: object[]) => supervisor.at('POST', `/contact-imports/${id}/rows`, { rows });
const start = (id: string) => supervisor.at('POST', `/contact-imports/${id}/start`);
const stateOf = async (id: string, member: Member = colleague) =>
  ((await member.at('GET', '/contact-imports')).body.data as AnyJson[]).find((one) => one.id === id);
const untilEnded = (id: string) =>
  eventually(
    () => stateOf(id),
    (state) => state?.status === 'done',
  );
const leftOut = async (id: string) => (await colleague.at('GET', `/contact-imports/${id}/left-out-rows`)).body;
const named = async (name: string) =>
  (await supervisor.at('GET', `/contacts?q=${encodeURIComponent(name)}`)).body.data as AnyJson[];

describe('an import of a file', () => {
  it('goes on at the service, and a colleague sees its progress and the rows that were left out', async () => {
    const rows = Array.from({ length: 2_300 }, (_, line) => rowOf(line, `+${newDigits()}`, `Crowd ${line}`));
    rows[1_500] = rowOf(1_500, '12', 'Nobody');
    const known = `+${newDigits()}`;
    await supervisor.at('POST', '/contacts', contactOf(known, 'Before'));
    rows[2_299] = rowOf(2_299, known, 'After');
    const id = await create(2_301);
    for (const part of [rows.slice(0, 1_000), rows.slice(1_000, 2_000), rows.slice(2_000)]) {
      assert.equal((await add(id, part)).status, 200);
    }
    const early = await start(id);
    assert.equal(early.status, 422, 'a row is missing');
    // A part that is sent again after a lost answer adds nothing.
    assert.equal((await add(id, rows.slice(0, 1_000))).body.rows_received, 2_300);
    await add(id, [{ line: 2_300, cells: ['9.6E+11', 'Short'], reason: 'shortened_number' }]);
    assert.equal((await start(id)).body.status, 'running');
    const done = await untilEnded(id);
    assert.deepEqual([done.rows_done, done.created, done.updated, done.left_out], [2_301, 2_298, 1, 2]);
    assert.equal(done.user.id, supervisor.user_id);
    const { data, header: titles, has_more } = await leftOut(id);
    assert.deepEqual([titles, has_more], [header, false]);
    assert.deepEqual(data, [
      { line: 1_500, cells: ['12', 'Nobody'], reason: 'invalid_phone' },
      { line: 2_300, cells: ['9.6E+11', 'Short'], reason: 'shortened_number' },
    ]);
    assert.equal((await named('After')).length, 1);
    const [count] = await majlis.sql<{ count: string }>('select count(*) from contacts where workspace_id = $1', [
      (await majlis.sql<{ id: string }>('select id from workspaces order by created_at limit 1'))[0]!.id,
    ]);
    assert.equal(Number(count!.count), 2_299);
    const actions = (await (await joinWorkspace(majlis, workspace, { role: 'admin' })).at('GET', '/audit')).body.data;
    const act = actions.find(({ action }: AnyJson) => action === 'startContactImport');
    assert.deepEqual([act.targets, act.details], [{ import_id: id }, { rows: 2_301 }]);
    // Nothing but what was left out stays.
    const stored = await majlis.sql('select from contact_import_rows');
    assert.equal(stored.length, 2);
  });

  it('leaves out the one row that the use case refuses, and imports the rest', async () => {
    const consents = (name: string) =>
      Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`${name}-${at}`, 'x'.repeat(300)]));
    const full = `+${newDigits()}`;
    const rows = Array.from({ length: 30 }, (_, line) => rowOf(line, `+${newDigits()}`, `Near ${line}`));
    // Each row alone is within the bounds, and the contact of both is not.
    rows[11] = rowOf(11, full, 'Full', { consents: consents('a') });
    rows[12] = rowOf(12, full, 'Full', { consents: consents('b') });
    const id = await create(30);
    for (const part of [rows.slice(0, 12), rows.slice(12)]) assert.equal((await add(id, part)).status, 200);
    await start(id);
    const done = await untilEnded(id);
    assert.deepEqual([done.created, done.updated, done.left_out], [29, 0, 1]);
    assert.deepEqual(
      (await leftOut(id)).data.map(({ line, reason }: AnyJson) => [line, reason]),
      [[12, 'unprocessable_content']],
    );
  });

  it('that is cancelled imports no further row, and keeps nothing that waits', async () => {
    const known = `+${newDigits()}`;
    await supervisor.at('POST', '/contacts', contactOf(known, 'Before the cancel'));
    const rows = Array.from({ length: 1_001 }, (_, line) => rowOf(line, `+${newDigits()}`, `Cancelled ${line}`));
    rows[0] = rowOf(0, known, 'In the first chunk');
    const id = await create(1_001);
    await add(id, rows.slice(0, 1_000));
    await add(id, rows.slice(1_000));
    // The first chunk waits for the contact, and the cancelling for the chunk.
    const { cancelling } = await whileHeld(
      majlis,
      `select from contacts where name = 'Before the cancel' for update`,
      async () => {
        await start(id);
        await untilWaiting(majlis, 1, 'contact_identities');
        const cancelling = colleague.at('POST', `/contact-imports/${id}/cancel`);
        await untilWaiting(majlis, 1, `'contact_imports '`);
        return { cancelling };
      },
    );
    const { body } = await cancelling;
    assert.deepEqual([body.status, body.rows_done, body.created, body.updated], ['cancelled', 1_000, 999, 1]);
    assert.deepEqual(await named('Cancelled 1000'), []);
    assert.equal((await stateOf(id))!.rows_done, 1_000);
    const unstarted = await create(1);
    await add(unstarted, [rowOf(0, `+${newDigits()}`, 'Unstarted')]);
    const cancelled = await supervisor.at('POST', `/contact-imports/${unstarted}/cancel`);
    assert.equal(cancelled.body.status, 'cancelled');
    assert.equal((await start(unstarted)).body.status, 'cancelled');
    assert.equal((await add(unstarted, [rowOf(0, '+96891230000', 'Late')])).status, 409);
    assert.deepEqual(await named('Unstarted'), []);
    assert.deepEqual(await searchDatabase(majlis, ['Unstarted']), []);
  });

  it('does not bring back a contact that is erased meanwhile, and forgets its rows that were left out', async () => {
    const digits = newDigits();
    const email = `gone${digits}@example.com`;
    const created = await supervisor.at('POST', '/contacts', contactOf(`+${digits}`, 'Gone', { email }));
    const local = digits.slice(3).replace(/^(\d{4})/, '$1 ');
    const id = await create(4);
    await add(id, [
      rowOf(0, `+${digits}`, 'Gone again'),
      { line: 1, cells: [local, 'Gone'], reason: 'unknown_stage' },
      { line: 2, cells: ['', email.toUpperCase()], reason: 'no_phone' },
      rowOf(3, `+${newDigits()}`, 'Stays here'),
    ]);
    assert.equal((await workspace.api.request('DELETE', `/contacts/${created.body.id}`)).status, 204);
    assert.deepEqual(await searchDatabase(majlis, [digits, local, email]), []);
    await start(id);
    await untilEnded(id);
    assert.deepEqual([(await named('Gone')).length, (await named('Stays here')).length], [0, 1]);
    assert.equal((await stateOf(id))!.has_left_out_rows, false);
  });

  it('refuses what is too much, unfinished or of nobody', async () => {
    const too_many = await supervisor.at('POST', '/contact-imports', { file_name: 'x', header, rows_total: 200_001 });
    assert.equal(too_many.status, 422);
    const id = await create(1);
    assert.equal((await add(id, [rowOf(1, '+96891230000', 'Beyond')])).status, 422);
    assert.equal((await add(id, [])).status, 422);
    assert.equal((await add('x', [rowOf(0, '+96891230000', 'Nowhere')])).status, 404);
    const opened = [id];
    let refusal: AnyJson;
    const openAnother = async () => {
      const one = { file_name: 'x', header, rows_total: 1 };
      const { status, body } = await supervisor.at('POST', '/contact-imports', one);
      if (status === 409) refusal = body;
      else opened.push(body.id);
    };
    await repeatUntil(() => refusal, openAnother);
    assert.equal(refusal.code, 'limit_reached');
    for (const one of opened) assert.equal((await supervisor.at('DELETE', `/contact-imports/${one}`)).status, 204);
    assert.equal(await stateOf(id), undefined);
    const odd = await create(3);
    // What is no contact at all is a row that is left out, as in any import.
    await add(odd, [
      { line: 0, contact: 'x', cells: ['x'] },
      { line: 1, contact: { name: 'a', identities: [] }, cells: ['?'] },
      { line: 2, contact: null, cells: [], reason: 'no_phone' },
    ]);
    assert.equal((await start(odd)).status, 200);
    assert.equal((await untilEnded(odd)).left_out, 3);
  });

  it('keeps rows that were left out for a week, files that nobody started for a day, and its numbers for 90 days', async () => {
    const id = await create(1);
    await add(id, [{ line: 0, cells: ['canary-row'], reason: 'no_phone' }]);
    await start(id);
    await untilEnded(id);
    const unstarted = await create(1);
    await add(unstarted, [rowOf(0, `+${newDigits()}`, 'canary-unstarted')]);
    await majlis.advance(2 * 86_400);
    await eventually(
      () => searchDatabase(majlis, ['canary-unstarted']),
      (rows) => rows.length === 0,
    );
    assert.equal((await leftOut(id)).data.length, 1);
    await majlis.advance(6 * 86_400);
    await eventually(
      () => searchDatabase(majlis, ['canary-row']),
      (rows) => rows.length === 0,
    );
    const count = async () => (await majlis.sql('select from contact_imports')).length;
    assert.ok((await count()) > 0);
    await majlis.advance(90 * 86_400);
    await eventually(count, (left) => left === 0);
  });
});
