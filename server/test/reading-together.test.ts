import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { startMajlis } from '@majlis/testing/start-majlis';
import { parseId } from '../src/database/ids.ts';

const readers = 16;
const env = { RATE_LIMITS: 'off', ROLES: 'api', DATABASE_POOL_SIZE: String(2 * readers) };
const majlis = await startMajlis({ env });
const [ours, theirs] = [await majlis.workspace(), await majlis.workspace()];
const { api } = ours;

const readByMany = (path: string) => Promise.all(Array.from({ length: readers }, () => api.get(path)));

async function countWaiting(table: string): Promise<number> {
  return (await majlis.sql('select from pg_locks where not granted and relation = $1::regclass', [table])).length;
}

describe('many who ask for the same at once', () => {
  it('are answered by a few reads', async () => {
    const alone = await api.get('/custom-fields');
    const held = await majlis.hold('lock table custom_fields in access exclusive mode');
    const asked = readByMany('/custom-fields');
    await setTimeout(100);
    const reads = await countWaiting('custom_fields');
    await held.release();
    for (const { status, text, headers } of await asked) {
      assert.equal(status, 200);
      assert.equal(text, alone.text);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    }
    assert.ok(reads > 0 && reads < readers / 2, `${reads} reads`);
  });

  it('are never answered by a read that began before they asked', async () => {
    const [{ id, status }] = (await api.get('/chatapp/templates')).body.data;
    const path = `/chatapp/templates/${id}`;
    // A template is read before its history.
    const held = await majlis.hold('lock table template_reviews in access exclusive mode');
    const before = api.get(path);
    let after: ReturnType<typeof readByMany>;
    try {
      await eventually(
        () => countWaiting('template_reviews'),
        (waiting) => waiting === 1,
      );
      await majlis.sql(`update templates set status = 'paused' where id = $1`, [parseId('template', id)]);
      after = readByMany(path);
      await setTimeout(100);
    } finally {
      await held.release();
    }
    assert.equal((await before).body.status, status, 'it had read the template');
    for (const { body } of await after) assert.equal(body.status, 'paused');
  });

  it('are answered each for themselves where they are of different workspaces, resources and pages', async () => {
    const identities = [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }];
    const { id } = (await api.post('/contacts', { name: 'Only ours', identities })).body;
    await api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }] });
    const rounds = Array.from({ length: readers }, () =>
      Promise.all([
        ...[api, theirs.api].map((each) => each.get('/workspace')),
        ...[api, theirs.api].map((each) => each.get(`/contacts/${id}`)),
        ...[1, 2].map((limit) => api.get(`/contacts?limit=${limit}`)),
      ]),
    );
    for (const [own, other, found, hidden, one, two] of await Promise.all(rounds)) {
      assert.deepEqual([own!.body.id, other!.body.id], [ours.id, theirs.id]);
      assert.equal(found!.body.name, 'Only ours');
      assertRefused(hidden!, 404);
      assert.deepEqual([one!.body.data.length, two!.body.data.length], [1, 2]);
    }
  });

  it('are refused like one', async () => {
    const path = '/contacts/ct_0';
    const alone = await api.get(path);
    assertRefused(alone, 404);
    for (const { status, text } of await readByMany(path)) assert.deepEqual([status, text], [404, alone.text]);
  });
});
