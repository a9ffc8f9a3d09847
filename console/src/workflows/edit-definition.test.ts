import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Definition, findStep, listSteps, stepPointerOf } from './definition.ts';
import { compareDefinitions, insertStep, moveStep, removeStep, shiftStep } from './edit-definition.ts';

const tag = (name: string) => ({ do: 'set_tag', tag: name });
const definition: Definition = {
  trigger: 'api_call',
  steps: [
    tag('a'),
    { do: 'branch', cases: [{ when: [], steps: [tag('b'), tag('c')] }], else: [tag('d')] },
    { do: 'ask', text: 'x', within: '1h', on_timeout: [tag('e')], on_error: 'continue' },
  ],
};
const tags = (given: Definition | undefined) =>
  listSteps(given?.steps ?? []).map(({ pointer, step }) => `${pointer} ${step.tag ?? step.do}`);

describe('a definition that is edited', () => {
  it('names the step that a pointer of the service leads into', () => {
    assert.equal(stepPointerOf('/steps/1/cases/0/when/0/equals'), '/steps/1');
    assert.equal(stepPointerOf('/steps/1/cases/0/steps/1/tag'), '/steps/1/cases/0/steps/1');
    assert.equal(stepPointerOf('/steps/2/on_timeout/0'), '/steps/2/on_timeout/0');
    assert.equal(stepPointerOf('/when/0/value'), '');
    assert.equal(findStep(definition, '/steps/1/else/0')?.tag, 'd');
  });

  it('takes and loses steps at any depth, and the given one stays as it is', () => {
    const longer = insertStep(definition, '/steps/1/else', 1, tag('new'));
    assert.equal(findStep(longer, '/steps/1/else/1')?.tag, 'new');
    assert.equal(
      findStep(insertStep(definition, '/steps/0/on_error', 0, tag('new')), '/steps/0/on_error/0')?.tag,
      'new',
    );
    assert.equal(findStep(removeStep(definition, '/steps/1/cases/0/steps/0'), '/steps/1/cases/0/steps/0')?.tag, 'c');
    assert.equal(tags(definition).length, 7);
  });

  it('moves steps within their list, out of it at its edge, and to any other place', () => {
    assert.equal(shiftStep(definition, '/steps/0', -1), undefined);
    assert.equal(shiftStep(definition, '/steps/0', 1)?.pointer, '/steps/1');
    const out = shiftStep(definition, '/steps/1/cases/0/steps/1', 1)!;
    assert.deepEqual([out.pointer, findStep(out.definition, '/steps/2')?.tag], ['/steps/2', 'c']);
    const before = shiftStep(definition, '/steps/1/else/0', -1)!;
    assert.deepEqual([before.pointer, findStep(before.definition, '/steps/1')?.tag], ['/steps/1', 'd']);
    const into = moveStep(definition, '/steps/0', '/steps/1/else', 0)!;
    assert.deepEqual([into.pointer, findStep(into.definition, into.pointer)?.tag], ['/steps/0/else/0', 'a']);
    assert.equal(moveStep(definition, '/steps/1', '/steps/1/else', 0), undefined);
    assert.equal(moveStep(definition, '/steps/0', '/steps', 3)?.pointer, '/steps/2');
  });

  it('tells what another one has besides', () => {
    const other = shiftStep(removeStep(definition, '/steps/1/else/0'), '/steps/0', 1)!.definition;
    const { added, removed, head } = compareDefinitions(definition, insertStep(other, '/steps', 0, tag('new')));
    assert.deepEqual([added.map((one) => one.tag), removed.map((one) => one.tag), head], [['new'], ['d'], false]);
    assert.ok(compareDefinitions(definition, { ...definition, control: 'human' }).head);
  });
});
