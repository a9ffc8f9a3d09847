import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDatabaseAway } from './is-database-away.ts';

const withCode = (code: string) => Object.assign(new Error('of the network or the database'), { code });

describe('isDatabaseAway', () => {
  it('knows the states of a database that goes away, is full or takes no writes', () => {
    for (const code of ['08006', '53300', '53100', '57P01', '57P03', '57014', '25006', '25P03']) {
      assert.equal(isDatabaseAway(withCode(code)), true, code);
    }
  });

  it('knows the errors of a network, although EPIPE has the length of a state', () => {
    for (const code of ['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ENOENT']) {
      assert.equal(isDatabaseAway(withCode(code)), true, code);
    }
  });

  it('knows what the driver says without a code', () => {
    for (const message of [
      'Connection terminated unexpectedly',
      'Connection terminated due to connection timeout',
      'timeout exceeded when trying to connect',
      'Query read timeout',
      'Client has encountered a connection error and is not queryable',
    ]) {
      assert.equal(isDatabaseAway(new Error(message)), true, message);
    }
  });

  it('takes no fault of a statement or of ours for it', () => {
    for (const code of ['23505', '40001', '42601', '22P02']) assert.equal(isDatabaseAway(withCode(code)), false, code);
    assert.equal(isDatabaseAway(new TypeError('undefined is not a function')), false);
    assert.equal(isDatabaseAway('Connection terminated'), false);
  });
});
