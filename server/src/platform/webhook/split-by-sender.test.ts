import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { splitBySender } from './split-by-sender.ts';

const metadata = { display_phone_number: '96880000001', phone_number_id: '4401' };
const change = (value: object, field = 'messages') => ({ field, value: { metadata, ...value } });
const notification = (...changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: changes.map((only) => ({ id: '33', changes: [only] })),
});
const from = (wa_id: string, body = 'Hello') => ({ from: wa_id, text: { body } });
const [muna, salim, noor] = ['96891000001', '96891000002', 'US.13491208655302741918'] as const;

describe('splitBySender', () => {
  it('gives each customer a part with their messages and all that is about them, in their order', () => {
    const profile = (wa_id: string) => ({ profile: { name: 'A name' }, wa_id });
    const about = (wa_id: string, n: number) => ({ id: `wamid.${n}`, recipient_id: wa_id });
    const body = notification(
      change({
        contacts: [profile(muna), profile(salim)],
        messages: [from(muna, '1'), from(salim, '1'), from(muna, '2')],
        statuses: [about(salim, 1), about('96891000009', 2)],
      }),
      change({ message_echoes: [{ from: '96880000001', to: salim }] }, 'smb_message_echoes'),
      change({ messages: [{ from_user_id: noor }, from(salim, '2')] }),
    );
    assert.deepEqual(splitBySender(body), [
      notification(
        change({
          contacts: [profile(muna)],
          messages: [from(muna, '1'), from(muna, '2')],
          statuses: [about('96891000009', 2)],
        }),
      ),
      notification(
        change({ contacts: [profile(salim)], messages: [from(salim, '1')], statuses: [about(salim, 1)] }),
        change({ message_echoes: [{ from: '96880000001', to: salim }] }, 'smb_message_echoes'),
        change({ messages: [from(salim, '2')] }),
      ),
      notification(change({ messages: [{ from_user_id: noor }] })),
    ]);
  });

  it('keeps a customer who changes the number, or is named in two ways, in one part', () => {
    const moved = { from: muna, type: 'system', system: { type: 'user_changed_number', wa_id: salim } };
    const both = { from: salim, from_user_id: noor };
    const messages = [from(salim), from(muna), moved, both, { from_user_id: noor }, from('96891000009')];
    const [first, second] = splitBySender(notification(change({ messages })));
    assert.deepEqual(first, notification(change({ messages: messages.slice(0, 5) })));
    assert.deepEqual(second, notification(change({ messages: messages.slice(5) })));
  });

  it('keeps two customers in one part who turn out to be one, with all names that either had', () => {
    const both = { from: muna, from_user_id: noor };
    const moved = { from: salim, type: 'system', system: { type: 'user_changed_number', wa_id: muna } };
    const messages = [both, from(salim), moved, { from_user_id: noor }, from('96891000009')];
    const [first, ...others] = splitBySender(notification(change({ messages })));
    assert.deepEqual(first, notification(change({ messages: messages.slice(0, 4) })));
    assert.equal(others.length, 1);
  });

  it('joins two customers where a later message names both, by other names than their first ones', () => {
    const named = (wa_id: string, user_id: string) => ({ from: wa_id, from_user_id: user_id });
    const messages = [named('1', 'a'), named('2', 'b'), from('3'), { from_user_id: 'a', to: 'b' }];
    const parts = splitBySender(notification(change({ messages })));
    const [joined, other] = [[messages[0], messages[1], messages[3]], [messages[2]]];
    assert.deepEqual(parts, [notification(change({ messages: joined })), notification(change({ messages: other }))]);
  });

  it('tells the same customer at two numbers of the business apart', () => {
    const other = { field: 'messages', value: { metadata: { phone_number_id: '4402' }, messages: [from(muna)] } };
    const one = change({ messages: [from(muna)] });
    assert.deepEqual(splitBySender(notification(one, other)), [notification(one), notification(other)]);
  });

  it('leaves what names nobody with the contact that came alone with it', () => {
    const contacts = [{ wa_id: salim }];
    const nameless = { text: { body: 'Who am I?' } };
    const body = notification(change({ messages: [from(muna)] }), change({ contacts, messages: [nameless] }));
    assert.deepEqual(splitBySender(body)[1], notification(change({ contacts, messages: [nameless] })));
  });

  it('answers the same object where at most one customer wrote, and for what is no notification', () => {
    const one = notification(change({ messages: [from(muna), from(muna)], statuses: [{ recipient_id: salim }] }));
    const odd = [
      null,
      7,
      [],
      { entry: 7 },
      { entry: [null, { changes: [null, { value: { messages: [null, 7, {}] } }] }] },
    ];
    for (const body of [one, ...odd, notification(change({ statuses: [{ recipient_id: salim }] }))]) {
      const [part, ...more] = splitBySender(body);
      assert.deepEqual([part === body, more], [true, []]);
    }
  });
});
