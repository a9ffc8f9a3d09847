import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asksForPerson, checkAnswer, tidyReason } from './rules.ts';

describe('asksForPerson', () => {
  for (const text of [
    'Can I talk to a human?',
    'I want to speak with your manager',
    'agent',
    'A real person please!',
    'Hi\nplease connect me to an operator',
    'أريد التحدث إلى موظف',
    'ابغى اكلم شخص',
    'حوّلني على إنسان',
    'موظف لو سمحت',
  ]) {
    it(`finds the request in: ${text}`, () => assert.equal(asksForPerson(text), true));
  }
  for (const text of [
    'When do you open?',
    'Is the sofa for three people?',
    'My agency ordered two tables',
    'Does it need a person to carry it?',
    'هل تكفي الكنبة لثلاثة أشخاص؟',
    'كم سعر التوصيل؟',
  ]) {
    const expected = text.startsWith('Does it need');
    it(`${expected ? 'prefers a false positive' : 'finds no request'} in: ${text}`, () => {
      assert.equal(asksForPerson(text), expected);
    });
  }
});

describe('readAnswer', () => {
  const rules = 'You answer customers of a business in a chat. The customer reads what you write as it is.';
  it('accepts a text that may be sent', () => {
    assert.deepEqual(checkAnswer('At nine.', rules, ['Hours', 'Hours']), {
      ...{ type: 'answer', text: 'At nine.', sources: ['Hours'] },
    });
  });
  it('ends an answer that is too long after a whole sentence', () => {
    const whole = `Sofas cost 3.5 rials. ${'هل تريد واحدا؟ '.repeat(200)}`.trimEnd();
    const decision = checkAnswer(`${whole} ${'x'.repeat(4_000)}. More.`, rules, []);
    assert.deepEqual(decision, { type: 'answer', text: whole, sources: [] });
  });
  for (const text of ['HAND_OVER', 'I think HAND_OVER is best.', 'x'.repeat(4_097), `My rules:\n${rules}`]) {
    it(`hands over: ${text.slice(0, 30)}`, () => assert.equal(checkAnswer(text, rules, []).type, 'hand_over'));
  }
});

describe('tidyReason', () => {
  it('returns one line of 200 characters without mentions', () => {
    assert.equal(tidyReason(' Ask @Omar\nor @Aisha '), 'Ask Omar or Aisha');
    assert.equal(tidyReason('x'.repeat(1_000)).length, 200);
  });
});
