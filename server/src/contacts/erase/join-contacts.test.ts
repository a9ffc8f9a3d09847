import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JoinedFields, joinContacts } from './join-contacts.ts';

const [early, late] = [new Date('2026-11-01T10:00:00Z'), new Date('2026-11-20T10:00:00Z')];
const empty: JoinedFields = {
  ...{ name: null, name_key: '', email: null, email_key: '', language: null, dialect: null, stage_id: null },
  ...{ vip: false, blocked: false, tags: [], consents: {}, custom_fields: {} },
  ...{ last_activity_at: null, created_at: late, marketing_told_at: null },
};
const full: JoinedFields = {
  ...{
    name: 'Muna',
    name_key: 'muna i',
    email: 'muna@example.com',
    email_key: 'muna@ i',
    language: 'ar',
    dialect: 'omani',
  },
  ...{ stage_id: '1', vip: true, blocked: true, tags: ['a', 'b'] },
  ...{ consents: { chatapp_marketing: true, sms: 'yes' }, custom_fields: { city: 'Muscat', size: 4 } },
  ...{ last_activity_at: late, created_at: early, marketing_told_at: early },
};

describe('joinContacts', () => {
  it('fills what the survivor lacks from the source', () => {
    assert.deepEqual(joinContacts(empty, full), full);
  });

  it('keeps what the survivor has', () => {
    assert.deepEqual(joinContacts(full, empty), full);
    const other = {
      name: 'Maha',
      name_key: 'maha i',
      email: 'maha@example.com',
      email_key: 'maha@ i',
      language: 'en',
      stage_id: '2',
    };
    const { name, name_key, email, email_key, language, stage_id } = joinContacts(full, { ...full, ...other });
    assert.deepEqual(
      { name, name_key, email, email_key, language, stage_id },
      {
        ...{
          name: 'Muna',
          name_key: 'muna i',
          email: 'muna@example.com',
          email_key: 'muna@ i',
          language: 'ar',
          stage_id: '1',
        },
      },
    );
  });

  it('unites tags, the survivor’s first, and custom fields, each by its key', () => {
    const { tags, custom_fields } = joinContacts(full, {
      ...empty,
      ...{ tags: ['c', 'b'], custom_fields: { city: 'Sohar', colour: 'red' } },
    });
    assert.deepEqual(tags, ['a', 'b', 'c']);
    assert.deepEqual(custom_fields, { city: 'Muscat', size: 4, colour: 'red' });
  });

  it('is blocked if either was', () => {
    for (const [one, other] of [
      [false, true],
      [true, false],
    ] as const) {
      assert.equal(joinContacts({ ...full, blocked: one }, { ...full, blocked: other }).blocked, true);
    }
    assert.equal(joinContacts({ ...full, blocked: false }, { ...full, blocked: false }).blocked, false);
  });

  it('gives no consent that either withdrew', () => {
    const withdrawn = { consents: { chatapp_marketing: false } };
    assert.deepEqual(joinContacts(full, { ...empty, ...withdrawn }).consents, { chatapp_marketing: false, sms: 'yes' });
    assert.equal(joinContacts({ ...empty, ...withdrawn }, full).consents.chatapp_marketing, false);
  });
});
