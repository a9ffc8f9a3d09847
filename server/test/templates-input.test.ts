import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import fc from '@majlis/testing/fast-check';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { api } = await majlis.workspace();
const path = '/chatapp/templates';

const sound = {
  name: 'order_update',
  language: 'ar',
  category: 'utility',
  components: [{ type: 'body', text: 'Hello {{1}}, welcome.', examples: ['Muna'] }],
};
const written = () =>
  majlis.sql(`select (select count(*) from templates)::int as templates, (select count(*) from template_reviews)::int
    as reviews, (select count(*) from jobs where kind like 'templates.submit%')::int as jobs`);
const withBody = (component: string) => JSON.stringify(sound).replace(/"text":"[^"]*"/, component);

describe('a template that is created from', () => {
  const bodies: [string, unknown, string][] = [
    ['nothing', {}, '/name'],
    ['a list', [], ''],
    ['a name that is a number', { ...sound, name: 7 }, '/name'],
    ['a category that nobody knows', { ...sound, category: 'service' }, '/category'],
    ['a category in capitals', { ...sound, category: 'UTILITY' }, '/category'],
    ['components that are one', { ...sound, components: sound.components[0] }, '/components'],
    ['a component that is text', { ...sound, components: ['Hello'] }, '/components/0'],
    ['a type that nobody knows', { ...sound, components: [{ type: 'carousel' }] }, '/components/0/type'],
    [
      'a format that nobody knows',
      { ...sound, components: [{ type: 'header', format: 'gif' }] },
      '/components/0/format',
    ],
    ['examples that are text', { ...sound, components: [{ type: 'body', examples: 'a' }] }, '/components/0/examples'],
    [
      'a button that is text',
      { ...sound, components: [{ type: 'buttons', buttons: ['a'] }] },
      '/components/0/buttons/0',
    ],
    ['a name with capitals', { ...sound, name: 'Order' }, '/name'],
    [
      'a body that ends with its variable',
      { ...sound, components: [{ type: 'body', text: 'Hi {{1}}', examples: ['a'] }] },
      '/components/0/text',
    ],
    ...['header', 'footer', 'buttons'].map((type): [string, unknown, string] => [
      `two components of type ${type}`,
      {
        ...sound,
        components: [
          ...sound.components,
          ...[1, 2].map((n) => ({
            type,
            ...(type === 'header' && { format: 'text' }),
            ...(type === 'buttons' ? { buttons: [{ type: 'quick_reply', text: `No ${n}` }] } : { text: 'Souq' }),
          })),
        ],
      },
      '/components',
    ]),
    ['NUL', withBody('"text":"a\\u0000b"'), '/components/0/text'],
    ['half of a surrogate pair', withBody('"text":"\\ud800"'), '/components/0/text'],
    ['half of a pair in an example', JSON.stringify(sound).replace('Muna', '\\udc00'), '/components/0/examples/0'],
    ['1e400', withBody('"text":1e400'), '/components/0/text'],
    ['2^53 + 1', withBody('"text":9007199254740993'), '/components/0/text'],
    ['__proto__', withBody('"__proto__":{"text":"a"}'), '/components/0/__proto__'],
    ['a member twice', withBody('"text":"a","text":"b"'), '/components/0/text'],
    ['a nest without end', `{"components":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, ''],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), ''],
  ];

  for (const [what, body, pointer] of bodies) {
    it(`${what} is refused with its place, and nothing is written`, async () => {
      const before = await written();
      const { code, errors } = assertRefused(await api.post(path, body), 422, what);
      assert.deepEqual([code, errors?.[0]?.pointer], ['unprocessable_content', pointer]);
      assert.deepEqual(await written(), before);
    });
  }

  it('anything is refused or stored as it was given', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const names = fc.stringMatching(/^[a-z0-9_]{8,40}$/);
    let stored = 0;
    await fc.assert(
      fc.asyncProperty(names, text, text, async (name, before, after) => {
        const components = [{ type: 'body', text: `${before} {{1}} ${after}`, examples: [before] }];
        const { status, body, text: answer } = await api.post(path, { ...sound, name: `${name}_pending`, components });
        if (status === 422) return;
        assert.equal(status, 201, answer);
        stored++;
        assert.deepEqual(body.components, components);
        assert.deepEqual((await api.get(`${path}/${body.id}`)).body.components, components);
      }),
      { numRuns: 60, seed: 7 },
    );
    assert.ok(stored > 30);
  });

  it('the same key twice is another request: the operation knows none', async () => {
    const keyed = { ...sound, name: 'keyed' };
    const key = { 'idempotency-key': 'one' };
    assert.equal((await api.post(path, keyed, key)).status, 201);
    assertRefused(await api.post(path, keyed, key));
  });
});
