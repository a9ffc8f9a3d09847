import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { addTemplate, makeTemplate } from '../templates/add-template.ts';
import { checkTemplate } from '../templates/check-template.ts';
import type { GraphTemplate } from '../templates/graph-template.ts';
import type { Dict } from '../world/message.ts';
import { addNumber, makeWorld } from '../world/world.ts';
import { checkSend } from './check-send.ts';
import { checkTemplateSend } from './check-template-send.ts';
import { GraphError } from './graph-error.ts';

const keys = fc.constantFrom(
  ...[
    'messaging_product',
    'to',
    'recipient',
    'type',
    'text',
    'body',
    'image',
    'audio',
    'id',
    'link',
    'caption',
    'interactive',
  ],
  ...[
    'action',
    'buttons',
    'sections',
    'rows',
    'reply',
    'title',
    'header',
    'footer',
    'template',
    'name',
    'language',
    'code',
  ],
  ...[
    'components',
    'parameters',
    'sub_type',
    'index',
    'reaction',
    'message_id',
    'emoji',
    'location',
    'latitude',
    'context',
  ],
  ...['category', 'format', 'example', 'header_handle', 'body_text', 'url', 'contacts', 'parameter_format', 'payload'],
);
const words = fc.constantFrom(
  'whatsapp',
  '+15550002222',
  'text',
  'image',
  'interactive',
  'template',
  'button',
  'list',
  'body',
  'BODY',
  'HEADER',
  'BUTTONS',
  'URL',
  'QUICK_REPLY',
  'UTILITY',
  'AUTHENTICATION',
  'hello_there',
  'en_US',
  '{{1}} and {{2}',
  '',
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    words,
    fc.jsonValue({ maxDepth: 0 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
}));
const objects = fc.dictionary(keys, value, { maxKeys: 9, noNullPrototype: true }) as fc.Arbitrary<Dict>;

/** Runs it; whatever it throws must be a refusal of the platform. */
function refusesOrTakes(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    assert.ok(error.http < 500);
  }
}

test('refuses any body that is no send, and never breaks', () => {
  const types = fc.constantFrom(
    'text',
    'image',
    'audio',
    'interactive',
    'template',
    'reaction',
    'location',
    'contacts',
  );
  fc.assert(
    fc.property(types, objects, objects, (type, content, more) => {
      refusesOrTakes(() =>
        checkSend({ ...more, messaging_product: 'whatsapp', to: '+15550002222', type, [type]: content }),
      );
      refusesOrTakes(() => checkSend(more));
    }),
    { numRuns: 2_000 },
  );
});

test('refuses any body that is no template, and never breaks', () => {
  const part = fc.record(
    { type: words, text: words, format: words, buttons: value, example: value },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, value), { maxLength: 4 }), words, objects, (components, category, more) => {
      const body = { ...more, name: 'hello', language: 'en_US', category, components };
      refusesOrTakes(() => makeTemplate('1', '2', checkTemplate(body), 0));
    }),
    { numRuns: 2_000 },
  );
});

test('judges any parameters of a template, and never breaks', () => {
  const world = makeWorld({ port: 0 });
  addNumber(world, { phone_number_id: '1', waba_id: '2', display_phone: '1', verified_name: 'A', access_token: 't' });
  const buttons = [
    { type: 'URL', text: 'Go', url: 'https://example.com/{{1}}' },
    { type: 'QUICK_REPLY', text: 'Yes' },
  ];
  const [template] = addTemplate(world, {
    name: 'hello',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hello {{1}} there' },
      { type: 'BUTTONS', buttons },
    ],
  }) as [GraphTemplate];
  const image = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.png' } }] };
  fc.assert(
    fc.property(fc.array(fc.oneof(value, fc.constant(image)), { maxLength: 4 }), (components) => {
      refusesOrTakes(() =>
        checkTemplateSend([template], '2', { name: 'hello', language: { code: 'en_US' }, components }),
      );
    }),
    { numRuns: 2_000 },
  );
});
