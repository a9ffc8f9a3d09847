import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waIdVariants } from './number-variants.ts';

for (const [wa_id, ...numbers] of [
  ['5511987654321', '+5511987654321', '+551187654321'],
  ['551187654321', '+551187654321', '+5511987654321'],
  ['551132654321', '+551132654321'],
  ['5215512345678', '+5215512345678', '+525512345678'],
  ['525512345678', '+525512345678', '+5215512345678'],
  ['5491123456789', '+5491123456789', '+541123456789'],
  ['541123456789', '+541123456789', '+5491123456789'],
  ['96890000001', '+96890000001'],
] as [string, ...string[]][]) {
  test(`knows ${wa_id} as ${numbers.join(' or ')}`, () => {
    assert.deepEqual(waIdVariants(wa_id), numbers);
  });
}
