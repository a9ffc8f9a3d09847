import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notification, notificationOf, recordedShape } from '../../../test/recorded/recorded-shapes.ts';
import type { JsonObject } from '../json-object.ts';
import { parseWebhook } from './parse-webhook.ts';

const quoted = 'wamid.HBgLMTU1NTAwMDIyMjIVAgARGBIwQTFCMkMzRDRFNUY2MDcxODIA';
const unsupported = '131051: Message type unknown - Message type is currently not supported.';
const sha256 = 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=';

const shapes: [string, JsonObject][] = [
  ['text', { kind: 'text', body: 'Hi', opens_window: true }],
  [
    'image',
    {
      kind: 'image',
      body: 'Front view',
      caption: 'Front view',
      platform_media_id: '790000000000001',
      mime: 'image/jpeg',
      sha256,
    },
  ],
  ['video', { kind: 'video', body: '', platform_media_id: '790000000000005', mime: 'video/mp4' }],
  ['document', { kind: 'file', body: 'a.pdf', filename: 'a.pdf', mime: 'application/pdf' }],
  ['audio', { kind: 'voice', body: '', mime: 'audio/ogg; codecs=opus', opens_window: true }],
  ['sticker', { kind: 'image', body: '', mime: 'image/webp', opens_window: true }],
  ['location', { kind: 'location', body: 'Main branch\nKing Rd 1\n24.7136,46.6753' }],
  ['contacts', { kind: 'text', body: 'A B: +1 555-000-3333', opens_window: true }],
  ['button_reply', { kind: 'interactive', body: 'Keep it', quoted_platform_id: quoted, opens_window: true }],
  ['list_reply', { kind: 'interactive', body: 'Olaya', quoted_platform_id: quoted }],
  ['nfm_reply', { kind: 'interactive', body: 'Sent' }],
  ['button', { kind: 'interactive', body: 'Thanks', quoted_platform_id: quoted, opens_window: true }],
  [
    'reaction',
    { kind: 'reaction', body: '👍', reaction: { target_platform_id: quoted, emoji: '👍' }, opens_window: false },
  ],
  ['reaction_removed', { kind: 'reaction', body: '', reaction: { target_platform_id: quoted, emoji: '' } }],
  ['order', { kind: 'text', body: 'For Friday\n2 × sku  9.5 SAR', opens_window: true }],
  [
    'unsupported',
    { kind: 'text', body: '[poll] Message type is currently not supported.', error: unsupported, opens_window: true },
  ],
  [
    'unknown',
    { kind: 'text', body: 'Message type is currently not supported.', error: unsupported, opens_window: true },
  ],
  [
    'media_not_fetched',
    {
      kind: 'video',
      body: '',
      error: '131052: Media download error',
      platform_media_id: undefined,
      opens_window: true,
    },
  ],
  ['quoted', { body: 'That one', quoted_platform_id: quoted }],
  ['forwarded', { body: 'Look', quoted_platform_id: undefined }],
  ['product_enquiry', { body: 'Is it blue?', quoted_platform_id: quoted }],
];

for (const [name, expected] of shapes) {
  test(`reads the recorded ${name}`, () => {
    const [item] = parseWebhook(notificationOf(recordedShape('messages', name)));
    assert.ok(item?.type === 'message');
    for (const [member, value] of Object.entries(expected)) assert.deepEqual(item[member as keyof typeof item], value);
  });
}

test('stands in for a type it never heard of, which opens no window', () => {
  const [item] = parseWebhook(notificationOf({ type: 'hologram', hologram: { id: '1' } }));
  assert.ok(item?.type === 'message');
  assert.deepEqual([item.kind, item.body, item.opens_window], ['text', '[hologram]', false]);
});

test('stands in for a type whose content is missing', () => {
  const bodies = ['text', 'location', 'interactive', 'contacts', 'order', 'image'].map((type) => {
    const [item] = parseWebhook(notificationOf({ type }));
    return item?.type === 'message' && item.body;
  });
  assert.deepEqual(bodies, ['[text]', '[location]', '[interactive]', '[contacts]', '[order]', '[image]']);
});

const previous = { wa_id: '15550002222' };

for (const [name, change] of [
  ['user_changed_number', { previous, current: { wa_id: '15550004444' } }],
  ['customer_changed_number', { previous, current: { wa_id: '15550004444' } }],
  [
    'user_changed_user_id',
    { previous: { ...previous, user_id: 'US.13491208655302741918' }, current: { user_id: 'US.22222222222222222222' } },
  ],
] as const) {
  test(`reads the recorded ${name} as a change of identity`, () => {
    const [item] = parseWebhook(notificationOf(recordedShape('messages', name)));
    assert.ok(item?.type === 'identity_change');
    assert.deepEqual({ previous: item.previous, current: item.current }, change);
  });
}

test('ignores a system message that changes nobody', () => {
  const [item] = parseWebhook(notificationOf(recordedShape('messages', 'customer_identity_changed')));
  assert.ok(item?.type === 'ignored');
  assert.equal(item.reason, 'system message customer_identity_changed');
});

const text = { type: 'text', text: { body: 'Hi' } };

for (const hidden of [{ from: undefined }, { from: '' }]) {
  test(`takes a customer with a hidden number (from ${JSON.stringify(hidden.from)}) by user id`, () => {
    const message = { ...text, ...hidden, from_user_id: 'US.1349', id: 'wamid.1', timestamp: '1772000000' };
    const contacts = [{ profile: { username: '@sara' }, user_id: 'US.1349' }];
    const [item] = parseWebhook(
      notification('messages', { metadata: { phone_number_id: '1' }, contacts, messages: [message] }),
    );
    assert.ok(item?.type === 'message');
    assert.deepEqual([item.wa_id, item.user_id, item.profile_name], [undefined, 'US.1349', '@sara']);
  });
}

test('takes a message that names nobody for the one contact that came with it', () => {
  const [item] = parseWebhook(notificationOf({ ...text, from: '' }));
  assert.ok(item?.type === 'message');
  assert.deepEqual([item.wa_id, item.profile_name], ['15550002222', 'Sara']);
});

test('never takes a user id for a number', () => {
  const [item] = parseWebhook(notificationOf({ ...text, from: 'US.13491208655302741918' }));
  assert.ok(item?.type === 'message');
  assert.deepEqual([item.wa_id, item.user_id], [undefined, 'US.13491208655302741918']);
});

for (const broken of [
  { timestamp: 'soon' },
  { timestamp: '-5' },
  { timestamp: undefined },
  { from: 'nobody' },
  { from: '1'.repeat(60) },
  { id: '' },
  { group_id: 'g' },
]) {
  test(`ignores a message with ${JSON.stringify(broken)}`, () => {
    const [item] = parseWebhook(notificationOf({ ...text, ...broken }));
    assert.equal(item?.type, 'ignored');
  });
}

for (const [timestamp, at] of [
  ['1772000000000', '2026-02-25T06:13:20.000Z'],
  [1_772_000_000_123, '2026-02-25T06:13:20.123Z'],
  ['2026-02-25T10:13:20+04:00', '2026-02-25T06:13:20.000Z'],
  ['2026-02-25T06:13:20Z', '2026-02-25T06:13:20.000Z'],
]) {
  test(`understands the time ${JSON.stringify(timestamp)}`, () => {
    const [item] = parseWebhook(notificationOf({ ...text, timestamp }));
    assert.ok(item?.type === 'message');
    assert.equal(item.at.toISOString(), at);
  });
}
