import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlatformTemplateComponent } from '../template.ts';
import { composeTemplate } from './compose-template.ts';

const compose = (category: string, components: PlatformTemplateComponent[]) =>
  composeTemplate({ name: 'order_update', language: 'en_US', category, components }).components;

test('writes a template in the platform’s words', () => {
  const body = { type: 'body', text: 'Hello {{1}}.', examples: ['Sara'] };
  assert.deepEqual(
    composeTemplate({ name: 'order_update', language: 'en_US', category: 'utility', components: [body] }),
    {
      name: 'order_update',
      language: 'en_US',
      category: 'UTILITY',
      parameter_format: 'positional',
      components: [{ type: 'BODY', text: 'Hello {{1}}.', example: { body_text: [['Sara']] } }],
    },
  );
});

test('gives each button the example that is its own', () => {
  const buttons = [
    { type: 'quick_reply', text: 'Thanks' },
    { type: 'url', text: 'Open', url: 'https://example.com/a' },
    { type: 'url', text: 'Track', url: 'https://example.com/t/{{1}}' },
    { type: 'copy_code' },
  ];
  assert.deepEqual(compose('marketing', [{ type: 'buttons', buttons, examples: ['$&-1', 'SAVE10'] }]), [
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Thanks' },
        { type: 'URL', text: 'Open', url: 'https://example.com/a' },
        { type: 'URL', text: 'Track', url: 'https://example.com/t/{{1}}', example: ['https://example.com/t/$&-1'] },
        { type: 'COPY_CODE', example: 'SAVE10' },
      ],
    },
  ]);
  const whole = { type: 'buttons', buttons: [buttons[2]!], examples: ['https://example.com/t/9'] };
  assert.match(JSON.stringify(compose('utility', [whole])), /"example":\["https:\/\/example.com\/t\/9"\]/);
});

test('hands over the sample of a header, and members that the contract does not name', () => {
  const header = { type: 'header', format: 'image', examples: ['4::aW1n'], width: 'wide' } as PlatformTemplateComponent;
  assert.deepEqual(compose('utility', [header]), [
    { width: 'wide', type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1n'] } },
  ]);
});

test('leaves the text of a one-time code to the platform', () => {
  const otp = { type: 'BUTTONS', buttons: [{ otp_type: 'COPY_CODE', type: 'OTP' }] };
  const body = { type: 'body', text: 'Your code is {{1}}.', examples: ['1'], add_security_recommendation: true };
  const footer = { type: 'footer', text: 'Soon', code_expiration_minutes: 10 };
  assert.deepEqual(compose('authentication', [body, { type: 'footer', text: 'Acme' }]), [
    { add_security_recommendation: true, type: 'BODY' },
    otp,
  ]);
  const button = { type: 'otp', otp_type: 'ONE_TAP', text: 'Copy', package_name: 'x' };
  assert.deepEqual(compose('authentication', [body, footer, { type: 'buttons', buttons: [button] }]), [
    { add_security_recommendation: true, type: 'BODY' },
    { code_expiration_minutes: 10, type: 'FOOTER' },
    { type: 'BUTTONS', buttons: [{ otp_type: 'ONE_TAP', type: 'OTP', text: 'Copy', package_name: 'x' }] },
  ]);
});
