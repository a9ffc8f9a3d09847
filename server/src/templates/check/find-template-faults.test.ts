import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TemplateButton, TemplateComponent, TemplateCreate } from '@majlis/contract';
import fc from '@majlis/testing/fast-check';
import { composeTemplate } from '../../platform/send/compose-template.ts';
import type { NewTemplate } from '../../platform/template.ts';
import { findTemplateFaults } from './find-template-faults.ts';

const plain: TemplateComponent = { type: 'body', text: 'Hello.' };

const template = (more: Partial<TemplateCreate>): TemplateCreate => ({
  name: 'order_update',
  language: 'en',
  category: 'utility',
  components: [plain],
  ...more,
});

/** The places of what is wrong. */
const pointersOf = (more: Partial<TemplateCreate>) => findTemplateFaults(template(more)).map(({ pointer }) => pointer);
const withText = (text: string, examples = ['a', 'b', 'c', 'd']) => [{ type: 'body' as const, text, examples }];
const header = (more: TemplateComponent) => [{ type: 'header' as const, ...more }, plain];
const footer = (text?: string) => [plain, { type: 'footer' as const, ...(text !== undefined && { text }) }];
const buttons = (list: TemplateButton[], examples: string[] = []) => [
  plain,
  { type: 'buttons' as const, buttons: list, examples },
];
const replies = (count: number) => Array.from({ length: count }, (_, n) => ({ type: 'quick_reply', text: `No ${n}` }));
const link = (url: string) => ({ type: 'url', text: 'Track', url });
const phone = { type: 'phone_number', text: 'Call', phone_number: '+96880000001' };
const copy = { type: 'copy_code' };

describe('a new template is sound', () => {
  const sound: [string, Partial<TemplateCreate>][] = [
    ['with a body alone', {}],
    ['with a name of 512 characters', { name: 'a'.repeat(512) }],
    ['in a language with a country', { language: 'en_US' }],
    ['in a language that no list has', { language: 'fil' }],
    ['with the same variable twice', { components: withText('Hi {{1}}, yes {{1}}, you.') }],
    ['with a body of 1024 characters, emoji among them', { components: withText(`🌙${'a'.repeat(1023)}`) }],
    ['with two line breaks and ten emoji', { components: withText(`a\n\n${'🌙'.repeat(10)}`) }],
    ['with single braces', { components: withText('a {b} c') }],
    [
      'with a header that ends with its variable',
      { components: header({ format: 'text', text: 'No {{1}}', examples: ['1'] }) },
    ],
    ['with a header of 60 characters', { components: header({ format: 'text', text: 'a'.repeat(60) }) }],
    ['with a sample of its header', { components: header({ format: 'image', examples: ['4::aW1n'] }) }],
    ['with signs that are text', { components: header({ format: 'text', text: 'Acme® news™' }) }],
    ['with ten emoji of several code points', { components: withText(`a${'👨‍👩‍👧'.repeat(10)}`) }],
    ['with a footer of 60 characters', { components: footer('a'.repeat(60)) }],
    ['with ten quick replies', { components: buttons(replies(10)) }],
    ['with quick replies first', { components: buttons([...replies(2), link('https://a.example')]) }],
    ['with quick replies last', { components: buttons([link('https://a.example'), phone, ...replies(2)]) }],
    ['with a link that ends with a variable', { components: buttons([link('https://a.example/{{1}}')], ['x']) }],
    ['with a code to copy', { components: buttons([copy], ['SAVE10']) }],
    ['with a button that the contract does not name', { components: buttons([{ type: 'flow', text: 'Book' }]) }],
    ['of a one-time code, whatever its text', { category: 'authentication', components: withText('{{1}}', []) }],
  ];
  for (const [what, more] of sound) it(what, () => assert.deepEqual(findTemplateFaults(template(more)), []));
});

describe('a new template is refused, by the place of the fault,', () => {
  const unsound: [string, Partial<TemplateCreate>, ...string[]][] = [
    ['without a name', { name: '' }, '/name'],
    ['with capitals in its name', { name: 'Order' }, '/name'],
    ['with a hyphen in its name', { name: 'order-update' }, '/name'],
    ['with Arabic letters in its name', { name: 'طلب' }, '/name'],
    ['with a line break behind its name', { name: 'order\n' }, '/name'],
    ['with a name of 513 characters', { name: 'a'.repeat(513) }, '/name'],
    ['without a language', { language: '' }, '/language'],
    ['in a language with a hyphen', { language: 'en-US' }, '/language'],
    ['in a language by its name', { language: 'English' }, '/language'],
    ['without components', { components: [] }, '/components'],
    ['without a body', { components: [{ type: 'footer', text: 'a' }] }, '/components'],
    ['with two bodies', { components: [plain, plain] }, '/components'],
    ['with a component of no type', { components: [plain, { text: 'a' }] }, '/components/1/type'],
    ['with a body of no text', { components: [{ type: 'body' }] }, '/components/0/text'],
    ['with a body of spaces', { components: withText(' \n ') }, '/components/0/text'],
    ['with a body of 1025 characters', { components: withText('a'.repeat(1025)) }, '/components/0/text'],
    ['with three line breaks in a row', { components: withText('a\n\n\nb') }, '/components/0/text'],
    ['with eleven emoji', { components: withText(`a${'🌙'.repeat(11)}`) }, '/components/0/text'],
    // One fault each: what is refused already is not searched for emoji.
    ['with 1025 emoji', { components: withText(`a${'🌙'.repeat(1025)}`) }, '/components/0/text'],
    [
      'with 61 emoji in its header',
      { components: header({ format: 'text', text: '🌙'.repeat(61) }) },
      '/components/0/text',
    ],
    ['with emoji in a second body', { components: [plain, ...withText('🌙'.repeat(11))] }, '/components'],
    ['with a variable first', { components: withText('{{1}} is here.') }, '/components/0/text'],
    ['with a variable last', { components: withText('Hello {{1}} ') }, '/components/0/text'],
    ['with variables side by side', { components: withText('a {{1}} {{2}} b') }, '/components/0/text'],
    ['with a gap in its variables', { components: withText('a {{1}} b {{3}} c') }, '/components/0/text'],
    ['with variables from zero', { components: withText('a {{0}} b') }, '/components/0/text'],
    ['with variables out of sequence', { components: withText('a {{2}} b {{1}} c') }, '/components/0/text'],
    ['with a name in a variable', { components: withText('a {{name}} b') }, '/components/0/text'],
    ['with braces that are not closed', { components: withText('a {{1} b') }, '/components/0/text'],
    ['without examples', { components: [{ type: 'body', text: 'a {{1}} b' }] }, '/components/0/examples'],
    ['with too few examples', { components: withText('a {{1}} b {{2}} c', ['x']) }, '/components/0/examples'],
    ['with a header of no format', { components: header({ text: 'a' }) }, '/components/0/format'],
    ['with a text header of no text', { components: header({ format: 'text' }) }, '/components/0/text'],
    [
      'with a header of 61 characters',
      { components: header({ format: 'text', text: 'a'.repeat(61) }) },
      '/components/0/text',
    ],
    ['with a line break in its header', { components: header({ format: 'text', text: 'a\nb' }) }, '/components/0/text'],
    ['with emoji in its header', { components: header({ format: 'text', text: 'a 🌙' }) }, '/components/0/text'],
    ['with markdown in its header', { components: header({ format: 'text', text: '*a*' }) }, '/components/0/text'],
    [
      'with two variables in its header',
      { components: header({ format: 'text', text: '{{1}} b {{2}}', examples: ['a', 'b'] }) },
      '/components/0/text',
    ],
    [
      'with no example in its header',
      { components: header({ format: 'text', text: 'a {{1}}' }) },
      '/components/0/examples',
    ],
    ['without a sample of its header', { components: header({ format: 'video' }) }, '/components/0/examples'],
    ['with a footer of no text', { components: footer() }, '/components/1/text'],
    ['with a variable in its footer', { components: footer('a {{1}}') }, '/components/1/text'],
    ['with a footer of 61 characters', { components: footer('a'.repeat(61)) }, '/components/1/text'],
    ['with no buttons', { components: buttons([]) }, '/components/1/buttons'],
    ['with eleven buttons', { components: buttons([...replies(10), phone]) }, '/components/1/buttons'],
    [
      'with three links',
      { components: buttons([link('https://a.example'), link('https://b.example'), link('https://c.example')]) },
      '/components/1/buttons',
    ],
    ['with two numbers', { components: buttons([phone, phone]) }, '/components/1/buttons'],
    [
      'with quick replies apart',
      { components: buttons([...replies(1), phone, ...replies(1)]) },
      '/components/1/buttons',
    ],
    [
      'with buttons in its body',
      { components: [{ type: 'body', text: '', buttons: [{ type: 'quick_reply', text: 'b' }] }] },
      '/components/0/buttons',
      '/components/0/text',
    ],
    ['with a button of no type', { components: buttons([{ text: 'a' }]) }, '/components/1/buttons/0/type'],
    ['with a button of no text', { components: buttons([{ type: 'quick_reply' }]) }, '/components/1/buttons/0/text'],
    [
      'with 26 characters on a button',
      { components: buttons([{ type: 'quick_reply', text: 'a'.repeat(26) }]) },
      '/components/1/buttons/0/text',
    ],
    ['with a link to nowhere', { components: buttons([{ type: 'url', text: 'a' }]) }, '/components/1/buttons/0/url'],
    [
      'with a link of 2001 characters',
      { components: buttons([link(`https://${'a'.repeat(1993)}`)]) },
      '/components/1/buttons/0/url',
    ],
    [
      'with a variable inside its link',
      { components: buttons([link('https://a.example/{{1}}/b')], ['x']) },
      '/components/1/buttons/0/url',
    ],
    [
      'with no example of its link',
      { components: buttons([link('https://a.example/{{1}}')]) },
      '/components/1/examples',
    ],
    [
      'with a number of 21 characters',
      { components: buttons([{ ...phone, phone_number: '1'.repeat(21) }]) },
      '/components/1/buttons/0/phone_number',
    ],
    ['with no example of its code', { components: buttons([copy]) }, '/components/1/examples'],
    [
      'with faults in several places, each of them',
      { name: 'A', language: 'x', components: [{ type: 'body', text: 'a {{2}}' }] },
      '/name',
      '/language',
      '/components/0/text',
      '/components/0/text',
      '/components/0/examples',
    ],
  ];
  for (const [what, more, ...pointers] of unsound) it(what, () => assert.deepEqual(pointersOf(more), pointers));
});

it('judges anything, and what is sound can be written for the platform', () => {
  const pieces = fc.array(fc.constantFrom('{{1}}', '{{2}}', '{{x}}', '{{', '}}', 'a', ' ', '\n', '🌙', '_', '$&'));
  const text = pieces.map((parts) => parts.join(''));
  const anyButton = fc.record(
    { type: fc.constantFrom('quick_reply', 'url', 'copy_code', 'x'), text, url: text, phone_number: text },
    { requiredKeys: [] },
  );
  const anyComponent = fc.record(
    {
      type: fc.constantFrom('header', 'body', 'footer', 'buttons'),
      format: fc.constantFrom('text', 'image'),
      text,
      examples: fc.array(text, { maxLength: 3 }),
      buttons: fc.array(anyButton, { maxLength: 12 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.array(anyComponent, { maxLength: 5 }),
      fc.constantFrom('utility', 'authentication'),
      (parts, category) => {
        const given = template({ components: parts as TemplateComponent[], category: category as 'utility' });
        if (findTemplateFaults(given).length === 0) composeTemplate(given as NewTemplate);
      },
    ),
    { numRuns: 1_000 },
  );
});
