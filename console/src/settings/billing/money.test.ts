import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysLeft, formatMoney, toUnits } from './money.ts';

/** Without the marks and spaces that only steer the layout. */
const plain = (text: string) =>
  text
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .replaceAll(/\s/g, ' ')
    .trim();

describe('formatMoney', () => {
  for (const [minor, currency, expected] of [
    [12_500, 'OMR', 'OMR 12.500'],
    [-5, 'OMR', '-OMR 0.005'],
    [1_234_567, 'IQD', 'IQD 1,234.567'],
    [1_250, 'USD', 'USD 12.50'],
    [1_250, 'JPY', 'JPY 1,250'],
    [1_250, 'credits', '12.50 credits'],
  ] as const) {
    it(`writes ${minor} of ${currency}`, () => assert.equal(plain(formatMoney(minor, currency, 'en')), expected));
  }

  it('writes Latin digits in Arabic, and minor units without a currency', () => {
    assert.match(formatMoney(12_500, 'OMR', 'ar-u-nu-latn'), /12\.500/);
    assert.equal(formatMoney(12_500, undefined, 'en'), '12,500');
  });
});

it('toUnits writes a number that spreadsheets read', () => {
  assert.deepEqual([toUnits(12_500, 'OMR'), toUnits(-8, 'OMR'), toUnits(7, 'JPY')], ['12.500', '-0.008', '7']);
});

it('daysLeft follows the pace of the last days', () => {
  assert.equal(daysLeft(1_000, 3_000, 30), 10);
  assert.equal(daysLeft(-1, 3_000, 30), 0);
  assert.equal(daysLeft(1_000, 0, 30), undefined);
});
