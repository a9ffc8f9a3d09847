import assert from 'node:assert/strict';
import { it } from 'node:test';
import { familyOf } from './pricing.ts';

it('knows the variants of a category', () => {
  for (const [category, family] of [
    ['marketing', 'marketing'],
    ['marketing_lite', 'marketing'],
    ['group_marketing', 'marketing'],
    ['utility', 'utility'],
    ['authentication_international', 'authentication'],
    ['group_service', 'service'],
    ['referral_conversion', 'referral_conversion'],
    ['marketings', 'marketings'],
    ['', ''],
  ] as const) {
    assert.equal(familyOf(category), family);
  }
});
