import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeError } from './describe-error.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('describeError', () => {
  it('keeps type, message, code and stack, and nothing else that hangs on the error', () => {
    const error = Object.assign(new TypeError('it broke'), {
      code: '23505',
      detail: 'Key (phone)=(canary) already exists.',
      parameters: ['canary'],
      headers: { authorization: 'canary' },
    });
    const described = describeError(error);
    assert.deepEqual(Object.keys(described), ['type', 'message', 'code', 'stack']);
    assert.equal(described.type, 'TypeError');
    assert.match(described.stack ?? '', /^TypeError: it broke\n {4}at /);
    assert.doesNotMatch(JSON.stringify(described), /canary/);
  });

  it('cuts off the value that a database repeats in its message, from the stack too', () => {
    const message = 'invalid input syntax for type uuid: "canary"';
    const error = Object.assign(new Error(message), { severity: 'ERROR', routine: 'uuid_in', code: '22P02' });
    const described = describeError(error);
    assert.equal(described.message, 'invalid input syntax for type uuid');
    assert.doesNotMatch(JSON.stringify(described), /canary/);
  });

  it('quotes nothing of a text that is no JSON', () => {
    for (const text of ['canary', `{"name":canary,"text":"${'a'.repeat(100)}"}`]) {
      const described = describeError(thrownBy(() => JSON.parse(text)));
      assert.equal(described.message, 'it is not valid JSON');
      assert.doesNotMatch(JSON.stringify(described), /canary/);
    }
  });

  it('tells causes and the errors of an aggregate', () => {
    const error = new Error('outer', { cause: new AggregateError([new Error('one'), new Error('two')], 'inner') });
    const { cause } = describeError(error);
    assert.equal(cause?.message, 'inner');
    assert.deepEqual(
      cause?.errors?.map((each) => each.message),
      ['one', 'two'],
    );
  });

  it('ends where causes go round in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    assert.equal(describeError(error).cause?.message, 'round');
  });

  it('says little of what is no error', () => {
    assert.deepEqual(describeError({ secret: 'canary' }), { type: 'object', message: 'not an error' });
    assert.deepEqual(describeError('thrown'), { type: 'string', message: 'thrown' });
  });
});
