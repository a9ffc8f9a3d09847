import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { createSecretBox, isOpenable } from './encrypt.ts';

const box = createSecretBox(Buffer.alloc(32, 1));
const place = 'webhook_endpoints.secret/ws_1';

describe('a sealed secret', () => {
  it('opens to the same text in the same place', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        assert.equal(box.open(box.seal(text, context), context), text);
      }),
    ));

  it('looks different each time and does not show the text', () => {
    const sealed = box.seal('whsec_canary', place);
    assert.notDeepEqual(sealed, box.seal('whsec_canary', place));
    assert.ok(!sealed.includes('canary'));
  });

  it('does not open in another place or under another key, and the error shows neither text nor key', () => {
    const sealed = box.seal('whsec_canary', place);
    const other = createSecretBox(Buffer.alloc(32, 2));
    const reason = /^Error: the secret of .* cannot be opened: SECRET_KEY is not the one/;
    assert.throws(() => box.open(sealed, 'webhook_endpoints.secret/ws_2'), reason);
    assert.throws(
      () => other.open(sealed, place),
      (error: Error) => reason.test(String(error)) && !error.stack?.includes('canary') && error.cause === undefined,
    );
  });

  it('that was opened in its place still opens in no other', () => {
    const sealed = box.seal('whsec_canary', place);
    assert.equal(box.open(sealed, place), 'whsec_canary');
    assert.throws(() => box.open(sealed, 'webhook_endpoints.secret/ws_2'), /cannot be opened/);
  });

  it('does not open after any change of one bit, or cut short', () => {
    const sealed = box.seal('whsec_canary', place);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      assert.throws(() => box.open(changed, place), /cannot be opened/);
    }
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => box.open(sealed.subarray(0, length), place), /cannot be opened/);
    }
  });

  it('is found by a fingerprint that only the key can make', () => {
    assert.deepEqual(box.fingerprint('token'), box.fingerprint('token'));
    assert.notDeepEqual(box.fingerprint('token'), box.fingerprint('token '));
    assert.notDeepEqual(box.fingerprint('token'), createSecretBox(Buffer.alloc(32, 2)).fingerprint('token'));
    assert.equal(box.fingerprint('token').length, 32);
  });

  it('opens with an old key, and is sealed with the present one', () => {
    const [old_key, fresh_key] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const sealed = createSecretBox(old_key).seal('whsec_canary', place);
    const both = createSecretBox(fresh_key, [old_key]);
    assert.equal(both.open(sealed, place), 'whsec_canary');
    assert.deepEqual([isOpenable(both, sealed), isOpenable(createSecretBox(fresh_key), sealed)], [true, false]);
    assert.equal(createSecretBox(fresh_key).open(both.seal('whsec_canary', place), place), 'whsec_canary');
    assert.deepEqual(both.fingerprints('token'), [
      createSecretBox(fresh_key).fingerprint('token'),
      createSecretBox(old_key).fingerprint('token'),
    ]);
  });

  it('needs a key of at least 16 bytes', () => {
    assert.throws(() => createSecretBox(Buffer.alloc(15)), /SECRET_KEY is shorter than 16 bytes/);
  });
});
