import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSecretBox } from '../../secrets/encrypt.ts';
import { setUpChannel } from './set-up-channel.ts';

const box = createSecretBox(Buffer.alloc(32, 1));
const file = {
  phone_number_id: '300400',
  waba_id: '100200',
  name: 'Support',
  verified_name: 'Acme',
  access_token: 'token',
  app_secret: 'app secret',
  verify_token: 'verify',
  messaging_tier: 1000,
};
const fresh = setUpChannel(box, file, undefined, 'c');
const standing = { ...fresh, workspace_id: 'w', status: null, changed_at: null, disconnected_at: null };

describe('setUpChannel', () => {
  it('seals each secret in its place, and makes fingerprints of what is looked up', () => {
    assert.equal(box.open(fresh.access_token, 'channels.access_token'), 'token');
    assert.equal(box.open(fresh.app_secret, 'channels.app_secret'), 'app secret');
    assert.deepEqual(fresh.app_secret_fingerprint, box.fingerprint('app secret'));
    assert.deepEqual(fresh.verify_token_fingerprint, box.fingerprint('verify'));
  });

  it('gives the very same values for the same file, and for one that says nothing', () => {
    for (const same of [file, { phone_number_id: '300400' }]) {
      const after = setUpChannel(box, same, standing, 'c');
      for (const [name, value] of Object.entries(after)) assert.equal(value, fresh[name as keyof typeof fresh], name);
    }
  });

  it('takes what the file says otherwise', () => {
    const after = setUpChannel(box, { ...file, name: 'Sales', access_token: 'other' }, standing, 'c');
    assert.equal(after.name, 'Sales');
    assert.equal(box.open(after.access_token, 'channels.access_token'), 'other');
    assert.equal(after.app_secret, fresh.app_secret);
  });

  it('keeps the verified name and the tier once the platform has spoken', () => {
    const other = { ...file, verified_name: 'Other', messaging_tier: 250 };
    const before = setUpChannel(box, other, standing, 'c');
    assert.deepEqual([before.verified_name, before.messaging_tier], ['Other', 250]);
    const after = setUpChannel(box, other, { ...standing, status: 'CONNECTED', messaging_tier: null }, 'c');
    assert.deepEqual([after.verified_name, after.messaging_tier], ['Acme', null]);
  });

  it('seals anew what cannot be opened any more', () => {
    const other = createSecretBox(Buffer.alloc(32, 2));
    const after = setUpChannel(other, file, standing, 'c');
    assert.equal(other.open(after.access_token, 'channels.access_token'), 'token');
    assert.equal(other.open(after.app_secret, 'channels.app_secret'), 'app secret');
  });
});
