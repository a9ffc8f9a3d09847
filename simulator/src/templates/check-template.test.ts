import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphError } from '../graph/graph-error.ts';
import { checkTemplate } from './check-template.ts';

const good = { name: 'order_update', language: 'en_US', category: 'utility' };

function subcodeOf(components: unknown, more: object = {}): number | undefined {
  try {
    checkTemplate({ ...good, components, ...more });
    return 0;
  } catch (error) {
    assert.ok(error instanceof GraphError);
    assert.equal(error.code === 100 || error.code === 131008, true);
    return error.parts.subcode;
  }
}

const body = (text: string, ...examples: string[]) => [
  { type: 'BODY', text, ...(examples.length > 0 && { example: { body_text: [examples] } }) },
];

test('takes a complete template', () => {
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-1007'] } },
    ...body('Hello {{1}}, your order {{2}} has shipped.', 'Sara', 'A-1007'),
    { type: 'FOOTER', text: 'Example Shop' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Thanks' },
        { type: 'URL', text: 'Track', url: 'https://example.com/t/{{1}}', example: ['https://example.com/t/A'] },
        { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+15550001111' },
      ],
    },
  ];
  assert.equal(subcodeOf(components), 0);
});

test('refuses with the subcode of the rule that is broken', () => {
  assert.equal(subcodeOf(body('Hello {{1}}, how are you?')), 2388043);
  assert.equal(subcodeOf(body('{{1}} is your order number', 'A')), 2388299);
  assert.equal(subcodeOf(body('Your order number is {{1}}', 'A')), 2388299);
  assert.equal(subcodeOf(body('Hello {{1}} and {{2}} x', 'A', 'B')), 2388293);
  assert.equal(subcodeOf(body('Hello {{2}} how are you', 'A')), 2388072);
  assert.equal(subcodeOf(body('Hello {{1} how are you', 'A')), 2388072);
  assert.equal(subcodeOf(body('a\n\n\nb')), 2388072);
  assert.equal(subcodeOf(body('x'.repeat(1025))), 2388040);
  assert.equal(subcodeOf([...body('Fine text'), { type: 'FOOTER', text: 'Hi {{1}}' }]), 2388073);
  assert.equal(subcodeOf([...body('Fine text'), { type: 'HEADER', format: 'TEXT', text: 'Hi *you*' }]), 2388047);
  assert.equal(subcodeOf([...body('Fine text'), { type: 'HEADER', format: 'IMAGE' }]), 2388043);
});

test('refuses quick replies that do not stand together, and a name with capitals', () => {
  const quick = { type: 'QUICK_REPLY', text: 'Yes' };
  const url = { type: 'URL', text: 'Go', url: 'https://example.com' };
  const buttons = (...list: object[]) => [...body('Fine text'), { type: 'BUTTONS', buttons: list }];
  assert.equal(subcodeOf(buttons(quick, quick, url)), 0);
  assert.equal(subcodeOf(buttons(url, quick, quick)), 0);
  assert.equal(subcodeOf(buttons(quick, url, quick)), undefined);
  assert.equal(subcodeOf(body('Fine text'), { name: 'Order' }), undefined);
});

test('writes the text of an authentication template itself', () => {
  const { components } = checkTemplate({
    ...good,
    category: 'AUTHENTICATION',
    components: [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
    ],
  });
  assert.match(components[0]?.text ?? '', /\{\{1\}\}/);
  assert.equal(components[1]?.buttons?.[0]?.type, 'URL');
});
