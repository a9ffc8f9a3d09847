import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { notification, notificationOf, recordedShape, recordedShapes } from '../../../test/recorded/recorded-shapes.ts';
import type { PlatformItem } from '../items.ts';
import { parsePlatformJson } from '../parse-platform-json.ts';
import { parseWebhook } from './parse-webhook.ts';

const origin = { waba_id: '330000000000001', phone_number_id: '440000000000001', display_phone: '15550001111' };
const account = { waba_id: '330000000000001' };

test('reads the recorded notification of a text', () => {
  const [item, ...rest] = parseWebhook(recordedShape('envelope', 'text'));
  assert.equal(rest.length, 0);
  assert.ok(item?.type === 'message');
  const { raw, ...said } = item;
  assert.equal(raw.type, 'text');
  assert.deepEqual(said, {
    type: 'message',
    ...origin,
    platform_message_id: 'wamid.HBgLMTU1NTAwMDIyMjIVAgASGBQzQTBBMUIyQzNENEU1RjYwNzE4MgA=',
    wa_id: '15550002222',
    user_id: 'US.13491208655302741918',
    profile_name: 'Sara',
    at: new Date(1772000000_000),
    platform_type: 'text',
    kind: 'text',
    body: 'Is it in stock?',
    opens_window: true,
  });
});

test('reads every entry, change, message and status of a batch, in its order', () => {
  const statuses = recordedShapes('statuses');
  const body = {
    object: 'whatsapp_business_account',
    entry: [
      ...(notificationOf({ type: 'text', text: { body: 'a' } }, { type: 'text', text: { body: 'b' } })
        .entry as unknown[]),
      ...(notification(
        'messages',
        { metadata: { phone_number_id: '1' }, statuses: [statuses.sent, statuses.failed] },
        { metadata: { phone_number_id: '2' }, messages: [], statuses: [statuses.sent] },
      ).entry as unknown[]),
    ],
  };
  assert.deepEqual(
    parseWebhook(body).map((item) => [item.type, 'phone_number_id' in item ? item.phone_number_id : undefined]),
    [
      ['message', '440000000000001'],
      ['message', '440000000000001'],
      ['status', '1'],
      ['status', '1'],
      ['status', '2'],
    ],
  );
});

test('reads a status with its error, its price and our own id', () => {
  const { sent, failed } = recordedShapes('statuses');
  const [first, second] = parseWebhook(
    notification('messages', { metadata: { phone_number_id: '440000000000001' }, statuses: [sent, failed] }),
  );
  const common = {
    type: 'status',
    ...account,
    phone_number_id: '440000000000001',
    platform_message_id: 'wamid.HBgLMTU1NTAwMDIyMjIVAgARGBIwQTFCMkMzRDRFNUY2MDcxODIA',
    wa_id: '15550002222',
    user_id: 'US.13491208655302741918',
    at: new Date(1772000003_000),
    callback_data: 'msg_01H...',
  };
  assert.deepEqual(first, {
    ...common,
    status: 'sent',
    pricing: { billable: true, model: 'PMP', type: 'regular', category: 'utility' },
    conversation_id: '72b1aa00',
  });
  assert.deepEqual(second, {
    ...common,
    status: 'failed',
    error_code: 131047,
    error:
      '131047: Re-engagement message - Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  });
});

for (const [given, read] of [
  ['played', 'read'],
  ['deleted', undefined],
  ['warning', undefined],
] as const) {
  test(`reads the status ${given} as ${read ?? 'nothing'}`, () => {
    const status = { ...recordedShape('statuses', 'sent'), status: given };
    const [item] = parseWebhook(notification('messages', { metadata: { phone_number_id: '1' }, statuses: [status] }));
    assert.equal(item?.type === 'status' ? item.status : undefined, read);
  });
}

const at = new Date(1772000000_000);
const reported = { ...account, at };
const template = { ...reported, platform_template_id: '880000000000001', name: 'order_update', language: 'en_US' };

const otherFields: [string, string, unknown][] = [
  [
    'message_template_status_update',
    'message_template_status_update',
    {
      type: 'template_status',
      ...template,
      status: 'rejected',
      reason: 'INVALID_FORMAT',
    },
  ],
  [
    'message_template_quality_update',
    'message_template_quality_update',
    { type: 'template_quality', ...template, quality: 'YELLOW' },
  ],
  [
    'message_template_status_update',
    'message_template_quality_update',
    { type: 'template_quality', ...template, quality: 'YELLOW' },
  ],
  [
    'template_category_update',
    'template_category_update',
    { type: 'template_category', ...template, category: 'marketing' },
  ],
  [
    'template_category_update',
    'template_category_update_announced',
    {
      ...{ type: 'template_category', ...template, category: 'utility', announced_category: 'marketing' },
      announced_for: new Date('2026-02-25T06:13:20Z'),
    },
  ],
  [
    'phone_number_quality_update',
    'phone_number_quality_update',
    {
      type: 'number_quality',
      ...reported,
      display_phone: '15550001111',
      event: 'THROUGHPUT_UPGRADE',
      tier: { messaging_tier: null, unlimited: true },
    },
  ],
  [
    'business_capability_update',
    'business_capability_update',
    { type: 'capability', ...reported, tier: { messaging_tier: 2000, unlimited: false } },
  ],
  [
    'phone_number_name_update',
    'phone_number_name_update',
    {
      type: 'number_name',
      ...reported,
      display_phone: '15550001111',
      decision: 'REJECTED',
      requested_name: 'Example Shop',
      reason: 'NAME_FORMAT_UNACCEPTABLE',
    },
  ],
  [
    'account_review_update',
    'account_review_update',
    { type: 'account', ...reported, field: 'account_review_update', event: 'APPROVED', raw: { decision: 'APPROVED' } },
  ],
  [
    'user_preferences',
    'user_preferences',
    {
      ...{ type: 'user_preference', ...origin, wa_id: '15550002222', marketing: false, at },
      raw: (recordedShape('account-events', 'user_preferences').user_preferences as object[])[0],
    },
  ],
  [
    'flows',
    'account_update',
    {
      ...{ type: 'ignored', ...account, field: 'flows', reason: 'field not in use' },
      raw: recordedShape('account-events', 'account_update'),
    },
  ],
];

for (const [field, shape, item] of otherFields) {
  test(`reads the recorded ${shape} under ${field}`, () => {
    const value = recordedShapes('template-events')[shape] ?? recordedShape('account-events', shape);
    assert.deepEqual(parseWebhook(notification(field, value)), [item]);
  });
}

test('reads what was sent from the phone app as an echo to the customer', () => {
  const [item] = parseWebhook(
    notification('smb_message_echoes', recordedShape('account-events', 'smb_message_echoes')),
  );
  assert.ok(item?.type === 'echo');
  assert.deepEqual([item.wa_id, item.body, item.platform_message_id], ['15550002222', 'From the phone', 'wamid.ECHO']);
});

test('keeps every digit of a template id too large for a double', () => {
  const value = recordedShape('template-events', 'message_template_status_update');
  const text = JSON.stringify(notification('message_template_status_update', value)).replace(
    '880000000000001',
    '98765432109876543',
  );
  const [item] = parseWebhook(parsePlatformJson(text));
  assert.equal(item?.type === 'template_status' && item.platform_template_id, '98765432109876543');
});

test('names errors of the account in the log, and nothing else of them', () => {
  const value = { metadata: { phone_number_id: '1' }, errors: [recordedShape('errors', 'asynchronous')] };
  const [item] = parseWebhook(notification('messages', value));
  assert.ok(item?.type === 'ignored' && item.reason.startsWith('error 131047: Re-engagement message'));
});

test('repeats no content in the reason of what it ignores', () => {
  const secret = 'call me at +15550002222';
  const items = parseWebhook({
    object: 'whatsapp_business_account',
    entry: [
      { id: '1', changes: [{ field: secret, value: {} }] },
      ...(notification('messages', { metadata: { phone_number_id: '1' }, statuses: [{ status: secret }] })
        .entry as unknown[]),
    ],
  });
  assert.equal(items.length, 2);
  assert.ok(!JSON.stringify(items.map((item) => ({ ...item, raw: undefined }))).includes(secret));
});

test('never throws, whatever JSON arrives', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      parseWebhook(value);
      for (const field of ['messages', 'smb_message_echoes', 'user_preferences', 'message_template_status_update'])
        parseWebhook(notification(field, value));
    }),
  );
});

const everything = notification('messages', {
  metadata: { phone_number_id: '1' },
  contacts: [{ profile: { name: 'Sara' }, wa_id: '15550002222' }],
  messages: Object.values(recordedShapes('messages')).map((message) => ({
    from: '15550002222',
    id: 'wamid.1',
    timestamp: '1772000000',
    ...message,
  })),
  statuses: Object.values(recordedShapes('statuses')),
});

test('never throws on recorded shapes of which some part is anything else', () => {
  const paths = pathsOf([everything, recordedShapes('template-events'), recordedShapes('account-events')]);
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, part) => {
      const [batch, templates, accounts] = replaceAt(
        [everything, recordedShapes('template-events'), recordedShapes('account-events')],
        path,
        part,
      ) as unknown[];
      parseWebhook(batch);
      for (const values of [templates, accounts])
        for (const [field, value] of Object.entries(values ?? {})) parseWebhook(notification(field, value));
    }),
    { numRuns: 1000 },
  );
});

test('reads the other items of a batch as if a malformed one were not there', () => {
  const text = (body: string) => ({
    from: '15550002222',
    id: `wamid.${body}`,
    timestamp: '1772000000',
    type: 'text',
    text: { body },
  });
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (message, status) => {
      const items = parseWebhook(
        notification('messages', {
          metadata: { phone_number_id: '1' },
          messages: [text('before'), message, text('after')],
          statuses: [status, recordedShape('statuses', 'sent')],
        }),
      );
      assert.deepEqual(items.map(bodyOf).filter(Boolean), ['before', 'after', 'sent']);
      assert.equal(items.length, 5);
    }),
  );
});

function bodyOf(item: PlatformItem): string | undefined {
  if (item.type === 'message') return item.body;
  return item.type === 'status' ? item.status : undefined;
}

type Path = (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...members.flatMap(([name, member]) => pathsOf(member, [...path, name]))].filter(
    ({ length }) => length > 0,
  );
}

function replaceAt(value: unknown, [name, ...rest]: Path, part: unknown): unknown {
  if (name === undefined) return part;
  if (Array.isArray(value)) return value.map((member, at) => (at === name ? replaceAt(member, rest, part) : member));
  const members = value as Record<string, unknown>;
  return { ...members, [name]: replaceAt(members[name], rest, part) };
}
