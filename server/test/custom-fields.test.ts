import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { newDigits } from '@majlis/testing/messages';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { api } = await majlis.workspace();

describe('custom fields', () => {
  it('are listed as they were defined, the oldest first', async () => {
    const fields = [
      { key: 'city', label: 'City', type: 'select', options: ['Muscat', 'Salalah'] },
      { key: 'مدينة', type: 'text' },
      { key: 'born', label: '', type: 'date' },
      { key: 'x'.repeat(512), type: 'number' },
      { key: 'agreed', type: 'boolean', options: [] },
    ];
    assert.deepEqual((await api.get('/custom-fields')).body, { data: [] });
    for (const field of fields) {
      const { status, body } = await api.post('/custom-fields', field);
      assert.deepEqual([status, body], [201, field]);
    }
    assert.deepEqual((await api.get('/custom-fields')).body, { data: fields });
    const other = await majlis.workspace();
    assert.deepEqual((await other.api.get('/custom-fields')).body, { data: [] });
    assert.equal((await other.api.post('/custom-fields', fields[0])).status, 201);
  });

  it('are refused with a pointer to what is wrong', async () => {
    const refused: [object, string][] = [
      [{ key: 'city', type: 'text' }, '/key'],
      [{ key: 'x'.repeat(512), type: 'text' }, '/key'],
      [{ key: '__proto__', type: 'text' }, '/key'],
      [{ key: 'colour', type: 'select' }, '/options'],
      [{ key: 'colour', type: 'select', options: [] }, '/options'],
      [{ key: 'colour', type: 'money' }, '/type'],
      [{ key: 'colour' }, '/type'],
      [{ type: 'text' }, '/key'],
      [{ key: 1, type: 'text' }, '/key'],
      [{ key: 'colour', type: 'select', options: [1] }, '/options/0'],
    ];
    for (const [body, pointer] of refused) {
      const { errors } = assertRefused(await api.post('/custom-fields', body), 422, JSON.stringify(body).slice(0, 60));
      assert.deepEqual(
        errors?.map((error) => error.pointer),
        [pointer],
      );
    }
  });

  it('have one definition of a key, of many at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => api.post('/custom-fields', { key: 'raced', type: 'text' })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(9).fill(422)]);
  });

  it('hold values under any key, as they were sent', async () => {
    for (const key of ['مدينة', 'x'.repeat(512)]) {
      const identities = [{ channel_type: 'chatapp', identifier: newDigits() }];
      const value = key.length > 10 ? 0.1 : '\u202e"';
      const { body } = await api.post('/contacts', { identities, custom_fields: { [key]: value } });
      assert.deepEqual(body.custom_fields, { [key]: value });
    }
  });
});
