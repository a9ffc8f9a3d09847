import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countDatabaseBytes } from '@majlis/testing/count-database-bytes';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const bytesRead = countDatabaseBytes();
const majlis = await startTestService({ env: { RATE_LIMITS: 'off', LIST_BYTES_MAX: '100000' } });
const workspace = await majlis.workspace({
  stages: Array.from({ length: 2_000 }, (_, n) => ({ name: `Stage ${n} ${'x'.repeat(100)}` })),
});
const { api, applied } = workspace;
const owner = await joinWorkspace(majlis, workspace);
const identities = () => [{ channel_type: 'chatapp', identifier: newDigits() }];
const options = (field: number) => Array.from({ length: 1_000 }, (_, n) => `${field} ${n} ${'x'.repeat(40)}`);
for (let n = 0; n < 30; n++) {
  const { status } = await api.post('/custom-fields', { key: `field ${n}`, type: 'select', options: options(n) });
  assert.equal(status, 201);
}

/** The kilobytes that the database sends meanwhile. */
async function read(work: () => Promise<{ status: number }>, expected: number): Promise<number> {
  const origins = [majlis.url, majlis.simulator.api_url];
  const before = bytesRead(...origins);
  assert.equal((await work()).status, expected);
  return (bytesRead(...origins) - before) / 1_000;
}

describe('the custom fields and stages of a workspace with megabytes of them', () => {
  const named = { 'field 7': options(7)[999], 'field 8': options(8)[0] };
  const stage_id = applied.stages[1_999].id;

  it('are read as far as a write names them', async () => {
    const { body: contact } = await api.post('/contacts', { identities: identities(), custom_fields: named, stage_id });
    assert.deepEqual([contact.custom_fields, contact.stage_id], [named, stage_id]);
    const path = `/contacts/${contact.id}`;
    const changes = { custom_fields: named, stage_id };
    const body = () => ({ identities: identities(), ...changes });
    for (const write of [
      () => api.post('/contacts', body()),
      () => api.post('/contacts/import', { contacts: [body(), body()] }),
      () => api.request('PATCH', path, changes),
      () => owner.at('POST', `${path}/edit`, { changes }),
    ]) {
      const kilobytes = await read(write, write.toString().includes("'/contacts',") ? 201 : 200);
      assert.ok(kilobytes < 50, `${write}: ${kilobytes} kB`);
    }
  });

  it('are known by their own options and stages alone', async () => {
    const refused = async (fields: object) => {
      const { status, body } = await api.post('/contacts', { identities: identities(), ...fields });
      return [status, body.errors?.map(({ pointer }: { pointer: string }) => pointer)];
    };
    // The option of one is none of the other, also where a body names both.
    const crossed = { 'field 7': options(8)[0], 'field 8': options(8)[1] };
    assert.deepEqual(await refused({ custom_fields: crossed }), [422, ['/custom_fields/field 7']]);
    assert.deepEqual(await refused({ custom_fields: { 'field 99': 'x' } }), [422, ['/custom_fields/field 99']]);
    assert.deepEqual(await refused({ custom_fields: { 'field 7': 7 } }), [422, ['/custom_fields/field 7']]);
    const other = await majlis.workspace({ stages: [{ name: 'Theirs' }] });
    assert.deepEqual(await refused({ stage_id: other.applied.stages[0].id }), [422, ['/stage_id']]);
    assert.deepEqual(await refused({ custom_fields: named }), [201, undefined]);
  });

  it('are not read for a list that is too long to answer', async () => {
    for (const list of [() => api.get('/custom-fields'), () => owner.at('GET', '/custom-field-entries')]) {
      const kilobytes = await read(list, 422);
      assert.ok(kilobytes < 50, `${list}: ${kilobytes} kB`);
    }
  });
});
