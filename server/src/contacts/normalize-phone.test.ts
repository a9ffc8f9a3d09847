import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { normalizePhone, phoneDigits } from './normalize-phone.ts';

const accepted: [text: string, country: string | undefined, e164: string][] = [
  ['+96891234567', undefined, '+96891234567'],
  ['+96880000001', undefined, '+96880000001'],
  ['+15550002222', undefined, '+15550002222'],
  ['+1 555-000-3333', 'OM', '+15550003333'],
  ['+447700900123', undefined, '+447700900123'],
  ['+12025550123', undefined, '+12025550123'],
  ['+97333123456', 'OM', '+97333123456'],
  ['+966500000001', 'OM', '+966500000001'],
  ['91234567', 'OM', '+96891234567'],
  ['91234567', 'om', '+96891234567'],
  ['24123456', 'OM', '+96824123456'],
  ['33123456', 'BH', '+97333123456'],
  ['55123456', 'QA', '+97455123456'],
  ['50012345', 'KW', '+96550012345'],
  ['81234567', 'SG', '+6581234567'],
  ['0501234567', 'SA', '+966501234567'],
  ['(202) 555-0123', 'US', '+12025550123'],
  ['0096891234567', 'OM', '+96891234567'],
  ['0096891234567', 'US', '+96891234567'],
  ['00 968 9123 4567', undefined, '+96891234567'],
  ['96891234567', 'OM', '+96891234567'],
  ['+968 9123-4567', undefined, '+96891234567'],
  ['+968.9123.4567', undefined, '+96891234567'],
  ['+968–9123–4567', undefined, '+96891234567'],
  ['+(968) 91234567', undefined, '+96891234567'],
  ['+44 (0)20 7946 0123', undefined, '+442079460123'],
  ['＋９６８９１２３４５６７', undefined, '+96891234567'],
  ['٩١٢٣٤٥٦٧', 'OM', '+96891234567'],
  ['+٩٦٨ ٩١٢٣ ٤٥٦٧', undefined, '+96891234567'],
  ['٠٠٩٦٨٩١٢٣٤٥٦٧', undefined, '+96891234567'],
  ['۹۱۲۳۴۵۶۷', 'OM', '+96891234567'],
  ['\u200f\u202a+968 9123 4567\u202c\u200e', undefined, '+96891234567'],
  ['\ufeff+968\u00a09123\u202f4567\u2069', undefined, '+96891234567'],
];

const refused: [text: string, country: string | undefined][] = [
  ['+97312345678', undefined],
  ['+973 1234 5678', 'BH'],
  ['12345678', 'BH'],
  ['12345678', 'OM'],
  ['91234567', undefined],
  ['91234567', 'US'],
  ['91234567', 'SA'],
  ['91234567', 'XX'],
  ['+9689123456', undefined],
  ['+968912345678', undefined],
  ['+999123456789', undefined],
  ['+0096891234567', undefined],
  ['++96891234567', undefined],
  ['968+91234567', 'OM'],
  ['+968 9123 4567 x12', undefined],
  ['91234567 ext 5', 'OM'],
  ['CALL91234567', 'OM'],
  ['tel:+96891234567', undefined],
  ['sara@acme.example', 'OM'],
  ['US.13491208655302741918', 'US'],
  ['+', 'OM'],
  ['', 'OM'],
  ['112', 'OM'],
  ['9'.repeat(100_000), 'OM'],
];

describe('normalizePhone', () => {
  it('writes in E.164 what people write in many ways', () => {
    for (const [text, country, e164] of accepted)
      assert.equal(normalizePhone(text, country), e164, `${text} ${country}`);
  });

  it('refuses numbers that nobody can have, and what is no number', () => {
    for (const [text, country] of refused) assert.equal(normalizePhone(text, country), undefined, `${text} ${country}`);
  });

  it('leaves a normalised number as it is, in any country', () =>
    fc.assert(
      fc.property(fc.constantFrom(...accepted), fc.constantFrom(undefined, 'OM', 'US', 'BH'), ([, , e164], country) => {
        assert.equal(normalizePhone(e164, country), e164);
      }),
    ));

  it('answers E.164 or undefined whatever it is given', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'+0123456789٠٩۰۹ -()x.\u200f') }),
        fc.string(),
        (text, country) => {
          assert.match(normalizePhone(text, country) ?? '+1', /^\+[1-9]\d{0,14}$/);
        },
      ),
    ));
});

describe('phoneDigits', () => {
  it('leaves out the plus', () => assert.equal(phoneDigits('+96891234567'), '96891234567'));
});
