import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeFailure } from './describe-failure.ts';

const reply = (responseCode: number) => Object.assign(new Error('no'), { responseCode });
const typeOf = (error: unknown, begun: boolean) => describeFailure(error, { begun, text: '' }).type;

describe('an e-mail that failed', () => {
  it('is tried again where the server never got its text', () => {
    assert.equal(typeOf(new Error('connect ECONNREFUSED'), false), 'try_again');
  });
  it('is unknown where the connection broke over its text', () => {
    assert.equal(typeOf(new Error('Connection closed'), true), 'unknown');
  });
  it('is tried again when the server said so, before and after', () => {
    assert.deepEqual([typeOf(reply(451), false), typeOf(reply(451), true)], ['try_again', 'try_again']);
  });
  it('is refused when the server said so for good', () => {
    assert.deepEqual([typeOf(reply(550), false), typeOf(reply(554), true)], ['refused', 'refused']);
  });
  it('is refused when the library does not say it to the server', () => {
    const unsaid = (code: string, command: string) => Object.assign(new Error('no'), { code, command });
    assert.equal(typeOf(unsaid('EENVELOPE', 'API'), false), 'refused');
    assert.equal(typeOf(unsaid('EMESSAGE', 'MAIL FROM'), false), 'refused');
    assert.equal(typeOf(unsaid('EENVELOPE', 'RCPT TO'), false), 'try_again');
    assert.equal(typeOf(unsaid('EMESSAGE', 'DATA'), true), 'unknown');
  });
  it('is tried again when the server does not let us in', () => {
    assert.deepEqual([typeOf(reply(535), false), typeOf(reply(530), false)], ['try_again', 'try_again']);
  });
});
