import assert from 'node:assert/strict';
import { it } from 'node:test';
import { clientAddress, inNetworks, siteOf } from './client-address.ts';

it('one client is an IPv4 address, however it is written, or a network of IPv6', () => {
  assert.equal(clientAddress('::ffff:192.0.2.7'), clientAddress('192.0.2.7'));
  assert.notEqual(clientAddress('192.0.2.7'), clientAddress('192.0.2.8'));
  assert.equal(clientAddress('2001:db8:1:2::1'), clientAddress('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(clientAddress('2001:db8:1:2::1'), clientAddress('2001:db8:1:3::1'));
  assert.equal(clientAddress(''), '');
});

it('a site has 65,536 IPv6 networks, and no IPv4 address', () => {
  assert.equal(siteOf('2001:db8:1:2::1'), siteOf('2001:db8:1:ffff::1'));
  assert.notEqual(siteOf('2001:db8:1::1'), siteOf('2001:db8:2::1'));
  for (const none of ['192.0.2.7', '::ffff:192.0.2.7', '']) assert.equal(siteOf(none), undefined);
});

it('networks hold their addresses, and no others', () => {
  const isProxy = inNetworks(['10.1.0.0/16', '127.0.0.1', 'fd00::/8']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', 'fd12::1']) assert.ok(isProxy(address), address);
  for (const address of ['10.2.0.0', '127.0.0.2', '::1', 'fe80::1', '']) assert.ok(!isProxy(address), address);
  assert.ok(!inNetworks([])('127.0.0.1'));
});
