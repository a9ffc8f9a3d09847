import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findFileFaults } from './find-file-faults.ts';

const workspace = { name: 'Acme' };

describe('findFaults', () => {
  it('finds nothing in a file without faults', () => {
    assert.deepEqual(findFileFaults({ workspace }), []);
    assert.deepEqual(
      findFileFaults({
        workspace: { ...workspace, timezone: 'Asia/Muscat' },
        stages: [{ name: 'New lead' }, { name: 'Customer' }],
        templates: [
          { name: 'welcome', language: 'en', category: 'utility', components: [] },
          { name: 'welcome', language: 'ar', category: 'utility', components: [] },
        ],
      }),
      [],
    );
  });

  it('points to each entry whose natural key was given before', () => {
    const user = { name: 'Aisha', email: 'aisha@acme.example' };
    const faults = findFileFaults({
      workspace,
      channels: [{ phone_number_id: '1' }, { phone_number_id: '2' }, { phone_number_id: '1' }],
      users: [user, user],
      stages: [{ name: 'New' }, { name: 'New' }, { name: 'New' }],
    });
    assert.deepEqual(
      faults.map((fault) => fault.pointer),
      ['/channels/2/phone_number_id', '/stages/1/name', '/stages/2/name', '/users/1/email'],
    );
  });

  it('refuses a country that is none', () => {
    for (const country of ['UK', 'XX', 'EU']) {
      const faults = findFileFaults({ workspace: { ...workspace, country } });
      assert.deepEqual(
        faults.map((fault) => fault.pointer),
        ['/workspace/country'],
      );
    }
    for (const country of ['OM', 'GB', 'AQ'])
      assert.deepEqual(findFileFaults({ workspace: { ...workspace, country } }), []);
  });

  it('refuses a time zone that no one knows, and one that is an offset', () => {
    for (const timezone of ['Asia/Musqat', '+04:00', '', 'Asia/']) {
      const faults = findFileFaults({ workspace: { ...workspace, timezone } });
      assert.deepEqual(
        faults.map((fault) => fault.pointer),
        ['/workspace/timezone'],
        timezone,
      );
    }
  });
});
