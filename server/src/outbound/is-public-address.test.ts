import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { isPublicAddress } from './is-public-address.ts';

// The registries of special addresses are walked in server/test/outbound-addresses.test.ts, as URLs.

test('takes addresses on both sides of a special range', () => {
  const outside = ['9.255.255.255', '11.0.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0'];
  outside.push(
    '223.255.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '2001:200::',
    '2003::',
    '3ffe:ffff::',
    '2620:4f:7fff::',
  );
  for (const address of outside) assert.equal(isPublicAddress(address, []), true, address);
});

test('takes no IPv6 address that embeds a private IPv4 address as ISATAP does', () => {
  for (const network of ['2600:1:2:3:0', '2600:1:2:3:200']) {
    assert.equal(isPublicAddress(`${network}:5efe:a00:1`, []), false);
    assert.equal(isPublicAddress(`${network}:5eff:a00:1`, []), true);
  }
});

test('takes no address of this machine, however that is written', () => {
  assert.equal(isPublicAddress('1.1.1.1', []), true);
  assert.equal(isPublicAddress('1.1.1.1', ['127.0.0.1', '1.1.1.1']), false);
  assert.equal(isPublicAddress('2606:4700::1', ['2606:4700:0:0:0:0:0:1']), false);
  assert.equal(isPublicAddress('1.1.1.1'), true);
});

test('takes nothing that is not an address', () => {
  for (const text of ['', 'receiver.example', '1.1.1.1.', '1.1.1.1/0', '2606:4700::1%eth0', '[2606:4700::1]'])
    assert.equal(isPublicAddress(text, []), false, text);
});

test('takes no IPv6 address outside 2000::/3, whatever IPv4 address it carries', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const address = groups.map((each) => each.toString(16)).join(':');
      if (groups[0]! >> 13 !== 1) assert.equal(isPublicAddress(address, []), false, address);
    }),
  );
});
