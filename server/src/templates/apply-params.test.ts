import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TemplateComponent } from '@majlis/contract';
import fc from '@majlis/testing/fast-check';
import { closeGaps } from '../platform/send/close-gaps.ts';
import { applyParams, mediaHeader, toOutbound } from './apply-params.ts';

const header: TemplateComponent = { type: 'header', format: 'text', text: 'Order {{1}}' };
const body: TemplateComponent = { type: 'body', text: 'Hello {{1}}, {{2}} has left.' };
const buttons: TemplateComponent = {
  type: 'buttons',
  buttons: [
    { type: 'quick_reply', text: 'Where is it?' },
    { type: 'url', text: 'Track', url: 'https://acme.example/track/{{1}}' },
  ],
};

function applied(components: TemplateComponent[], params: string[]) {
  const result = applyParams({ components, parameter_format: null }, params);
  assert.ok(result.ok);
  return result.applied;
}

describe('applyParams', () => {
  it('deals the values out to the header, then the body, then the buttons', () => {
    // The order of the components in the template does not count.
    assert.deepEqual(applied([buttons, body, header], ['A-1', 'Muna', 'the lamp', 'x9']), {
      header: ['A-1'],
      body: ['Muna', 'the lamp'],
      buttons: [{ index: 1, type: 'url', text: 'x9' }],
      text: 'Hello Muna, the lamp has left.',
    });
  });

  it('says how many values a template needs where another number is given', () => {
    for (const params of [[], ['1'], ['1', '2', '3'], ['1', '2', '3', '4', '5']]) {
      assert.deepEqual(applyParams({ components: [header, body, buttons], parameter_format: null }, params), {
        ok: false,
        needed: 4,
      });
    }
    assert.deepEqual(applyParams({ components: [], parameter_format: null }, ['1']), { ok: false, needed: 0 });
  });

  it('leaves out components without variables', () => {
    assert.deepEqual(applied([{ type: 'body', text: 'Hello.' }], []), { text: 'Hello.' });
    assert.deepEqual(applied([], []), { text: undefined });
  });

  it('fills in each value once, whatever it looks like', () =>
    fc.assert(
      fc.property(variableLike, variableLike, (first, second) => {
        const { text } = applied([{ type: 'body', text: '{{1}}|{{2}}|{{1}}' }], [first, second]);
        const [one, two] = [first, second].map(closeGaps);
        assert.equal(text, `${one}|${two}|${one}`);
      }),
    ));

  it('gives a variable that occurs twice one value', () => {
    assert.equal(applied([{ type: 'body', text: '{{1}} and {{1}}' }], ['a']).text, 'a and a');
  });

  it('needs no values for a header that is a file', () => {
    const image: TemplateComponent = { type: 'header', format: 'image' };
    assert.deepEqual(applied([image, body], ['Muna', 'it']).body, ['Muna', 'it']);
    assert.equal(mediaHeader([image, body]), 'image');
    assert.equal(mediaHeader([header, body]), undefined);
    assert.equal(mediaHeader([body]), undefined);
  });

  it('is what the platform is sent', () => {
    assert.deepEqual(toOutbound('order_update', 'en', applied([header, body, buttons], ['A-1', 'Muna', 'it', 'x9'])), {
      kind: 'template',
      name: 'order_update',
      language: 'en',
      header: { type: 'text', text: 'A-1' },
      body: ['Muna', 'it'],
      buttons: [{ index: 1, type: 'url', text: 'x9' }],
    });
    assert.deepEqual(toOutbound('hi', 'en', { text: 'Hi' }), { kind: 'template', name: 'hi', language: 'en' });
  });
});

/** Texts of the pieces that a second pass, or a replacement pattern of JavaScript, would take for its own. */
const variableLike = fc
  .array(fc.oneof(fc.constantFrom('{{1}}', '{{2}}', '{{', '}}', '$1', '$&', '$$', '\n'), fc.string()), { maxLength: 6 })
  .map((pieces) => pieces.join(''))
  .filter((text) => text.trim() !== '');
