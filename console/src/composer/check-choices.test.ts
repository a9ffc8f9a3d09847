import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChoicesForm, choicesOf, findChoicesFault, toChoices } from './check-choices.ts';

const choice = (title: string, description = '') => ({ title, description });

describe('a message with choices', () => {
  const cases: [string, ChoicesForm, string, ReturnType<typeof choice>[], string | undefined][] = [
    ['of 3 buttons is taken', 'buttons', 'Which?', ['A', 'B', 'C'].map((one) => choice(one)), undefined],
    ['without a text', 'buttons', ' ', [choice('A')], 'no_body'],
    ['with a long text over buttons', 'buttons', 'x'.repeat(1_025), [choice('A')], 'long_body'],
    ['with the same text over a list', 'list', 'x'.repeat(1_025), [choice('A')], undefined],
    ['without a title', 'list', 'Which?', [choice('A'), choice(' ')], 'no_title'],
    ['with a title of 20 letters of two units each', 'buttons', 'Which?', [choice('😀'.repeat(20))], undefined],
    ['with a long title', 'buttons', 'Which?', [choice('x'.repeat(21))], 'long_title'],
    ['with the same title in a list', 'list', 'Which?', [choice('x'.repeat(24))], undefined],
    ['with a long description', 'list', 'Which?', [choice('A', 'x'.repeat(73))], 'long_description'],
    ['with two equal titles', 'buttons', 'Which?', [choice('A'), choice('A ')], 'same_title'],
  ];
  for (const [name, form, body, choices, fault] of cases) {
    it(name, () => assert.equal(findChoicesFault({ form, body, choices })?.type, fault));
  }

  it('is read from a message that is there already, and makes it again', () => {
    const draft = { form: 'list' as const, body: 'Which?', choices: [choice('A', 'One'), choice('B')] };
    assert.deepEqual(choicesOf(toChoices(draft)), draft);
    const buttons = [{ type: 'reply', reply: { id: 'a', title: 'A' } }];
    assert.deepEqual(choicesOf({ kind: 'interactive', body: 'Which?', interactive: { type: 'buttons', buttons } }), {
      form: 'buttons',
      body: 'Which?',
      choices: [choice('A')],
    });
    assert.equal(choicesOf({ kind: 'interactive', interactive: { type: 'request_contact_info' } }), undefined);
  });

  it('has descriptions in a list alone', () => {
    const choices = [choice(' A ', 'One'), choice('B')];
    assert.deepEqual(toChoices({ form: 'list', body: '', choices }).interactive.buttons, [
      { id: 'choice_1', title: 'A', description: 'One' },
      { id: 'choice_2', title: 'B' },
    ]);
    assert.deepEqual(toChoices({ form: 'buttons', body: '', choices }).interactive.buttons[0], {
      id: 'choice_1',
      title: 'A',
    });
  });
});
