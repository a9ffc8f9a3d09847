import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChallenge } from './read-challenge.ts';

const query = 'hub.mode=subscribe&hub.verify_token=one%20two&hub.challenge=1158201444';

test('reads the token and the challenge', () => {
  assert.deepEqual(readChallenge(query), { verify_token: 'one two', challenge: '1158201444' });
});

test('reads nothing with another mode or a missing part', () => {
  for (const given of [
    query.replace('subscribe', 'unsubscribe'),
    'hub.mode=subscribe&hub.challenge=1',
    'hub.mode=subscribe&hub.verify_token=a',
    '',
  ])
    assert.equal(readChallenge(given), undefined);
});
