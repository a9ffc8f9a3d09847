import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedShape } from '../../../test/recorded/recorded-shapes.ts';
import type { OutboundContent } from '../outbound-message.ts';
import { composeMessage } from './compose-message.ts';

const envelope = { recipient: '+15550002222', callback_data: 'msg_01H...' };

test('writes the recorded text', () => {
  const message = {
    ...envelope,
    kind: 'text',
    body: 'Your order is ready.',
    quoted_platform_id: 'wamid.HBgL...A=',
  } as const;
  assert.deepEqual(composeMessage(message), recordedShape('sending', 'text'));
});

const reply = (id: string, title: string) => ({ type: 'reply', reply: { id, title } });

const kinds: [string, OutboundContent][] = [
  ['image', { kind: 'image', platform_media_id: '790000000000001', caption: 'Front view' }],
  ['document', { kind: 'file', platform_media_id: '790000000000002', filename: 'invoice-42.pdf', caption: 'Invoice' }],
  ['audio', { kind: 'voice', platform_media_id: '790000000000003', mime: 'audio/ogg; codecs=opus' }],
  ['location', { kind: 'location', latitude: 24.7136, longitude: 46.6753, name: 'Main branch', address: 'King Rd 1' }],
  ['reaction', { kind: 'reaction', emoji: '👍', target_platform_id: 'wamid.HBgL...A=' }],
  [
    'buttons',
    {
      kind: 'interactive',
      body: "Keep tomorrow's slot?",
      interactive: {
        type: 'buttons',
        header: { type: 'text', text: 'Delivery' },
        footer: { text: 'Reply within 2 hours' },
        buttons: [reply('keep', 'Keep it'), reply('change', 'Change')],
      },
    },
  ],
  [
    'list',
    {
      kind: 'interactive',
      body: 'Pick one',
      interactive: {
        type: 'list',
        header: { type: 'text', text: 'Branches' },
        footer: { text: 'Open daily' },
        button: 'Show branches',
        sections: [{ title: 'North', rows: [{ id: 'b1', title: 'Olaya', description: 'Open 9-22' }] }],
      },
    },
  ],
  [
    'template',
    {
      kind: 'template',
      name: 'order_update',
      language: 'en_US',
      header: { type: 'image', platform_media_id: '790000000000001' },
      body: ['Sara', 'A-1007'],
      buttons: [
        { index: 0, type: 'quick_reply', payload: 'CONFIRM:A-1007' },
        { index: 1, type: 'url', text: 'A-1007' },
      ],
    },
  ],
];

for (const [name, content] of kinds) {
  test(`writes the recorded ${name}`, () => {
    assert.deepEqual(composeMessage({ ...envelope, ...content }), {
      ...recordedShape('sending', name),
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+15550002222',
      biz_opaque_callback_data: 'msg_01H...',
    });
  });
}

test('puts a list without sections into one, under a button in no language', () => {
  const rows = [{ id: 'b1', title: 'Olaya' }];
  const interactive = composeMessage({
    ...envelope,
    kind: 'interactive',
    body: 'Pick',
    interactive: { type: 'list', buttons: rows },
  }).interactive;
  assert.deepEqual(interactive, {
    type: 'list',
    body: { text: 'Pick' },
    action: { button: '☰', sections: [{ rows }] },
  });
});

test('gives choices of either shape the shape of the platform', () => {
  const flat = { id: 'b1', title: 'Olaya', description: 'Open 9-22' };
  const actionOf = (type: 'buttons' | 'list', button: object) => {
    const interactive = { type, buttons: [{ ...button }] };
    const message = composeMessage({ ...envelope, kind: 'interactive', body: 'Pick', interactive });
    return (message.interactive as { action: object }).action;
  };
  for (const button of [{ id: 'b1', title: 'Olaya' }, reply('b1', 'Olaya'), { reply: { id: 'b1', title: 'Olaya' } }]) {
    assert.deepEqual(actionOf('buttons', button), { buttons: [reply('b1', 'Olaya')] });
  }
  for (const row of [flat, { type: 'reply', reply: flat }]) {
    assert.deepEqual(actionOf('list', row), { button: '☰', sections: [{ rows: [flat] }] });
  }
});

test('sends to a user id as recipient and never as to', () => {
  const sent = composeMessage({ ...envelope, recipient: 'US.13491208655302741918', kind: 'text', body: 'Hi' });
  assert.equal(sent.recipient, 'US.13491208655302741918');
  assert.ok(!('to' in sent));
});

test('writes bare digits as an international number', () => {
  assert.equal(composeMessage({ ...envelope, recipient: '15550002222', kind: 'text', body: 'Hi' }).to, '+15550002222');
});

test('marks only OGG as a voice note', () => {
  const sent = composeMessage({ ...envelope, kind: 'voice', platform_media_id: '1', mime: 'audio/mpeg' });
  assert.deepEqual(sent.audio, { id: '1' });
});

test('quotes nothing in a reaction', () => {
  const content = { kind: 'reaction', emoji: '', target_platform_id: 'wamid.1' } as const;
  assert.ok(!('context' in composeMessage({ ...envelope, ...content, quoted_platform_id: 'wamid.2' })));
});

test('leaves out the components of a template without variables', () => {
  const sent = composeMessage({ ...envelope, kind: 'template', name: 'hello', language: 'ar', body: [] });
  assert.deepEqual(sent.template, { name: 'hello', language: { code: 'ar' } });
});

test('passes given components on as they are', () => {
  const components = [{ type: 'body', parameters: [{ type: 'text', text: 'a\nb', parameter_name: 'x' }] }];
  const sent = composeMessage({ ...envelope, kind: 'template', name: 'hello', language: 'ar', components });
  assert.deepEqual(sent.template, { name: 'hello', language: { code: 'ar' }, components });
});

test('takes out of a parameter the line breaks and runs of spaces that the platform refuses', () => {
  const sent = composeMessage({
    ...envelope,
    kind: 'template',
    name: 'n',
    language: 'ar',
    body: ['a \r\n b\tc        d'],
  });
  assert.deepEqual(sent.template, {
    name: 'n',
    language: { code: 'ar' },
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'a b c    d' }] }],
  });
});

test('writes no degree with an exponent', () => {
  const sent = composeMessage({ ...envelope, kind: 'location', latitude: 0.0000001, longitude: -100 });
  assert.deepEqual(sent.location, { latitude: '0.0000001', longitude: '-100' });
});
