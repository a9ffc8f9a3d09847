import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDraftFaults } from './find-draft-faults.ts';
import { componentsOf, composeDraft, draftOf, emptyDraft, type TemplateDraft } from './template-draft.ts';

const draft: TemplateDraft = {
  ...emptyDraft,
  name: 'order_update',
  body: 'Hello {{1}}, order {{2}} has left.',
  examples: { 1: 'Muna', 2: 'A-1' },
};
const faultsOf = (change: Partial<TemplateDraft>) =>
  Object.fromEntries([...findDraftFaults({ ...draft, ...change })].map(([field, { word }]) => [field, word]));

describe('findDraftFaults', () => {
  it('finds what the platform refuses, field by field', () => {
    assert.deepEqual(faultsOf({}), {});
    assert.deepEqual(faultsOf({ name: 'Order Update' }), { name: 'templates.fault_name' });
    assert.deepEqual(faultsOf({ body: ' ' }), { body: 'templates.fault_needed' });
    assert.deepEqual(faultsOf({ body: '{{1}} hello' }), { body: 'templates.fault_edge' });
    assert.deepEqual(faultsOf({ body: 'Hi {{1}} {{2}} there' }), { body: 'templates.fault_adjacent' });
    assert.deepEqual(faultsOf({ body: 'Hi {{2}} there' }), { body: 'templates.fault_sequence' });
    assert.deepEqual(faultsOf({ body: 'Hi {{name}} there' }), { body: 'templates.fault_malformed' });
    assert.deepEqual(faultsOf({ body: 'x'.repeat(1_025) }), { body: 'templates.fault_too_long' });
    assert.deepEqual(faultsOf({ examples: { 1: 'Muna' } }), { example_2: 'templates.fault_needed' });
    assert.deepEqual(faultsOf({ header: 'image' }), { sample: 'templates.fault_sample' });
    assert.deepEqual(faultsOf({ footer: '{{1}}' }), { footer: 'templates.fault_footer_variables' });
  });

  it('leaves the text of a one-time code to the platform', () => {
    assert.deepEqual(faultsOf({ category: 'authentication', body: '' }), {});
    assert.deepEqual(composeDraft({ ...draft, category: 'authentication' }).components, [{ type: 'body' }]);
  });
});

describe('draftOf', () => {
  it('gives back the parts of a template', () => {
    const url = { key: 0, type: 'url' as const, text: 'Track', url: 'https://a.example/{{1}}', phone_number: '' };
    const whole: TemplateDraft = {
      ...draft,
      header: 'text',
      header_text: 'Order {{1}}',
      header_example: 'A-1',
      footer: 'Majan',
      buttons: [{ ...url, example: 'x9' }],
    };
    const template = {
      ...composeDraft(whole),
      id: 'tpl_1',
      status: 'rejected' as const,
      updated_at: '2026-11-18T10:12:00Z',
    };
    assert.deepEqual(componentsOf(draftOf(template)), template.components);
  });
});
