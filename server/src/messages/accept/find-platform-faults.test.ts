import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConversationMessageSend } from '@majlis/contract';
import { findPlatformFaults } from './find-platform-faults.ts';

const long = (chars: number) => 'x'.repeat(chars);
const place = (latitude: number, longitude: number): ConversationMessageSend => ({
  ...{ kind: 'location', location: { latitude, longitude } },
});
const choice = (more: object = {}) => ({ id: 'a', title: 'A', ...more });
const many = (count: number) => Array.from({ length: count }, (_, n) => choice({ id: `${n}`, title: `${n}` }));
const ask = (type: 'buttons' | 'list', buttons: object[], more: object = {}, body?: string) => {
  const interactive = { type, buttons: buttons.map((button) => ({ ...button })), ...more };
  return { kind: 'interactive', interactive, ...(body !== undefined && { body }) } as const;
};
const buttons = (items: object[], more: object = {}) => ask('buttons', items, more, 'Which?');
const list = (items: object[], more: object = {}) => ask('list', items, more, 'Which?');
const nested = (more: object = {}) => ({ type: 'reply', reply: choice(more) });

/** What is at the limit, and what is beyond it with the place of the fault. */
const cases: [string, ConversationMessageSend, ConversationMessageSend, string][] = [
  ['a text', { kind: 'text', body: long(4_096) }, { kind: 'text', body: long(4_097) }, '/body'],
  ['emojis', { kind: 'text', body: '😀'.repeat(4_096) }, { kind: 'text', body: '😀'.repeat(4_097) }, '/body'],
  ['an image', { kind: 'image', body: long(1_024) }, { kind: 'image', body: long(1_025) }, '/body'],
  ['a video', { kind: 'video', body: long(1_024) }, { kind: 'video', body: long(1_025) }, '/body'],
  ['a file', { kind: 'file', body: long(1_024) }, { kind: 'file', body: long(1_025) }, '/body'],
  ['north', place(90, 180), place(90.1, 180), '/location/latitude'],
  ['south', place(-90, -180), place(-91, -180), '/location/latitude'],
  ['east', place(0, 180), place(0, 181), '/location/longitude'],
  ['a text of buttons', ask('buttons', many(3), {}, long(1_024)), ask('buttons', many(3), {}, long(1_025)), '/body'],
  ['a text of a list', ask('list', many(10), {}, long(4_096)), ask('list', many(10), {}, long(4_097)), '/body'],
  ['no text', ask('list', many(1), { body: { text: 'Which?' } }), ask('list', many(1)), '/body'],
  ['an empty text', buttons(many(1)), ask('buttons', many(1), {}, ''), '/body'],
  ['buttons', buttons(many(3)), buttons(many(4)), '/interactive/buttons'],
  ['no button', buttons(many(1)), buttons([]), '/interactive/buttons'],
  ['rows', list(many(10)), list(many(11)), '/interactive/buttons'],
  ['no row', list(many(1)), list([]), '/interactive/buttons'],
  [
    'rows of sections',
    list([], { sections: [{ rows: many(10) }] }),
    list([], { sections: [{ rows: many(10) }, { rows: [choice()] }] }),
    '/interactive/sections',
  ],
  [
    'a row of a section',
    list([], { sections: [{ rows: [choice()] }] }),
    list([], { sections: [{ rows: [choice()] }, { rows: [choice({ id: 'b', title: '' })] }] }),
    '/interactive/sections/1/rows/0/title',
  ],
  [
    'a title',
    buttons([choice({ title: long(20) })]),
    buttons([choice({ title: long(21) })]),
    '/interactive/buttons/0/title',
  ],
  [
    'a nested title',
    buttons([nested({ title: long(20) })]),
    buttons([nested({ title: long(21) })]),
    '/interactive/buttons/0/reply/title',
  ],
  ['an id', buttons([choice({ id: long(256) })]), buttons([choice({ id: long(257) })]), '/interactive/buttons/0/id'],
  ['a missing id', buttons([choice()]), buttons([{ title: 'A' }]), '/interactive/buttons/0/id'],
  ['an id that is a number', buttons([choice()]), buttons([choice({ id: 1 })]), '/interactive/buttons/0/id'],
  [
    'an id with a space',
    buttons([choice({ id: 'a b' })]),
    buttons([choice({ id: 'a ' })]),
    '/interactive/buttons/0/id',
  ],
  [
    'equal ids',
    buttons([choice(), choice({ id: 'b', title: 'B' })]),
    buttons([choice(), choice({ title: 'B' })]),
    '/interactive/buttons/1/id',
  ],
  [
    'equal titles',
    list([choice(), choice({ id: 'b' })]),
    buttons([choice(), nested({ id: 'b' })]),
    '/interactive/buttons/1/reply/title',
  ],
  ['equal ids of rows', list(many(2)), list([choice(), choice()]), '/interactive/buttons/1/id'],
  [
    'a description of a button',
    list([choice({ description: 'B' })]),
    buttons([choice({ description: 'B' })]),
    '/interactive/buttons/0/description',
  ],
  ['a row', list([choice({ title: long(24) })]), list([choice({ title: long(25) })]), '/interactive/buttons/0/title'],
  ['an id of a row', list([choice({ id: long(200) })]), list([choice({ id: long(201) })]), '/interactive/buttons/0/id'],
  [
    'a description',
    list([choice({ description: long(72) })]),
    list([choice({ description: long(73) })]),
    '/interactive/buttons/0/description',
  ],
  [
    'a header',
    buttons(many(1), { header: { type: 'text', text: long(60) } }),
    buttons(many(1), { header: { type: 'text', text: long(61) } }),
    '/interactive/header/text',
  ],
  [
    'a footer',
    list(many(1), { footer: { text: long(60) } }),
    list(many(1), { footer: { text: long(61) } }),
    '/interactive/footer/text',
  ],
  [
    'a button of a list',
    list(many(1), { button: long(20) }),
    list(many(1), { button: long(21) }),
    '/interactive/button',
  ],
];

const firstFault = (send: ConversationMessageSend) => findPlatformFaults(send).next().value ?? undefined;

describe('findPlatformFaults', () => {
  for (const [name, atLimit, beyond, pointer] of cases) {
    it(name, () => {
      assert.equal(firstFault(atLimit), undefined);
      assert.equal(firstFault(beyond)?.pointer, pointer);
    });
  }

  it('names the limit', () => {
    const details = [cases[0]!, cases[5]!, cases[12]!].map(([, , beyond]) => firstFault(beyond)?.detail);
    assert.deepEqual(details, [
      'must not have more than 4096 characters',
      'must be from -90 to 90',
      'must have 1 to 3 buttons',
    ]);
  });
});
