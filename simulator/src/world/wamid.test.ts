import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRandom } from './random.ts';
import { makeWamid } from './wamid.ts';

test('builds the documented id of an outbound message', () => {
  const random = { ...makeRandom(1), hex: () => '0A1B2C3D4E5F607182' };
  const expected = 'wamid.HBgLMTU1NTAwMDIyMjIVAgARGBIwQTFCMkMzRDRFNUY2MDcxODIA';
  assert.equal(makeWamid('15550002222', 'outbound', random), expected);
});

test('marks an inbound id with 20 digits', () => {
  const random = makeRandom(1);
  const bytes = Buffer.from(makeWamid('15550002222', 'inbound', random).slice('wamid.'.length), 'base64');
  assert.equal(bytes[bytes.indexOf('15550002222') + 11 + 3], 0x12);
  assert.equal(bytes.length, 2 + 1 + 11 + 3 + 1 + 1 + 1 + 20 + 1);
});

test('repeats itself with a seed and never without one', () => {
  assert.equal(makeRandom(7).hex(40), makeRandom(7).hex(40));
  assert.notEqual(makeRandom(7).hex(40), makeRandom(8).hex(40));
  assert.notEqual(makeRandom().hex(40), makeRandom().hex(40));
});
