import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StatusItem } from '../platform/message-items.ts';
import { toPricing } from './to-pricing.ts';

function read(pricing: StatusItem['pricing'], conversation_id?: string) {
  const status: StatusItem = {
    type: 'status',
    waba_id: '1',
    phone_number_id: '2',
    platform_message_id: 'wamid.A',
    status: 'delivered',
    ...(pricing && { pricing }),
    ...(conversation_id && { conversation_id }),
  };
  return toPricing(status);
}

describe('a pricing report', () => {
  it('is billable unless the platform says that it is free, in either way', () => {
    for (const [pricing, is_billable] of [
      [{ billable: true, type: 'regular' }, true],
      [{ type: 'regular' }, true],
      [{ billable: true }, true],
      [{}, true],
      [{ billable: false }, false],
      [{ billable: false, type: 'regular' }, false],
      [{ billable: true, type: 'free_customer_service' }, false],
      [{ type: 'free_entry_point' }, false],
    ] as const) {
      assert.deepEqual(read({ ...pricing, category: 'utility' }), { category: 'utility', is_billable });
    }
  });

  it('has its category in one spelling, and says nothing without one', () => {
    assert.equal(read({ category: 'authentication-international' })?.category, 'authentication_international');
    assert.equal(read({ category: 'MARKETING' })?.category, 'marketing');
    assert.equal(read({ billable: true }), undefined);
    assert.equal(read(undefined), undefined);
  });

  it('is of the conversation where that is what the platform charges, under a name that tells nothing of it', () => {
    const first = read({ model: 'CBP', category: 'utility' }, '96891234567')!;
    assert.match(first.conversation!, /^[\w-]{43}$/);
    assert.equal(read({ model: 'CBP', category: 'utility' }, '96891234567')!.conversation, first.conversation);
    assert.notEqual(read({ model: 'CBP', category: 'utility' }, '96891234568')!.conversation, first.conversation);
    assert.equal(read({ model: 'PMP', category: 'utility' }, '96891234567')!.conversation, undefined);
    assert.equal(read({ model: 'CBP', category: 'utility' })!.conversation, undefined);
  });
});
