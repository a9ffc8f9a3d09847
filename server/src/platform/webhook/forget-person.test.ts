import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forgetPerson } from './forget-person.ts';

const metadata = { display_phone_number: '96880000001', phone_number_id: '4401' };
const envelope = (value: object) => ({ entry: [{ id: '33', changes: [{ field: 'messages', value }] }] });
const muna = new Set(['96891234567']);

describe('forgetPerson', () => {
  it('takes out the messages, profiles and statuses of a person, and leaves those of others', () => {
    const others = {
      contacts: [{ profile: { name: 'Salim' }, wa_id: '96899999999' }],
      messages: [{ from: '96899999999', text: { body: 'call 96891234567' } }],
      statuses: [{ id: 'wamid.2', recipient_id: '96899999999' }],
    };
    const body = envelope({
      metadata,
      contacts: [{ profile: { name: 'Muna' }, wa_id: '96891234567' }, ...others.contacts],
      messages: [...others.messages, { from: '96891234567', text: { body: 'Hello' } }],
      statuses: [...others.statuses, { id: 'wamid.1', recipient_id: '96891234567' }],
    });
    assert.deepEqual(forgetPerson(body, muna), envelope({ metadata, ...others }));
  });

  it('takes out the notice of a change to a number of the person', () => {
    const system = { type: 'user_changed_number', wa_id: '96891234567', body: 'Muna changed to 96891234567' };
    const messages = [{ from: '96890000000', type: 'system', system }];
    assert.deepEqual(forgetPerson(envelope({ metadata, messages }), muna), envelope({ metadata, messages: [] }));
  });

  it('leaves what others wrote about the person', () => {
    const messages = [{ from: '96899999999', contacts: [{ phones: [{ wa_id: '96891234567' }] }] }];
    const body = envelope({ metadata, messages });
    assert.equal(forgetPerson(body, muna), body);
  });

  it('takes out an unknown member that names the person, however deep', () => {
    const messages = [{ from: '96899999999' }];
    const unknown = { brand_new_member: { about: { wa_id: '96891234567' } }, other_member: { a: 1 } };
    assert.deepEqual(
      forgetPerson(envelope({ metadata, messages, ...unknown }), muna),
      envelope({ metadata, messages, other_member: { a: 1 } }),
    );
  });

  it('answers the same object where nothing names the person', () => {
    const body = envelope({ metadata, messages: [{ from: '96899999999', text: { body: '96891234567 is mine' } }] });
    assert.equal(forgetPerson(body, muna), body);
  });

  it('leaves what is no notification as it is', () => {
    for (const body of [null, 7, '96891234567', [], { entry: 7 }, { entry: [{ changes: [null] }] }]) {
      assert.equal(forgetPerson(body, muna), body);
    }
  });
});
