import { createHash } from 'node:crypto';
import type { Customer } from './message.ts';

export type Customers = {
  get(wa_id: string): Customer;
  findByUserId(user_id: string): Customer | undefined;
  update(wa_id: string, change: Partial<Customer>): Customer;
  known(): Customer[];
  /** Moves the account to another number, which changes its user id. */
  move(from: string, to: string): Customer;
  clear(): void;
};

export function makeCustomers(): Customers {
  const byWaId = new Map<string, Customer>();
  const byUserId = new Map<string, Customer>();

  function get(wa_id: string): Customer {
    return byWaId.get(wa_id) ?? { wa_id, name: '', user_id: userId(wa_id) };
  }

  function update(wa_id: string, change: Partial<Customer>): Customer {
    const customer = { ...get(wa_id), ...change };
    byWaId.set(wa_id, customer);
    byUserId.set(customer.user_id, customer);
    return customer;
  }

  return {
    get,
    update,
    findByUserId: (user_id) => byUserId.get(user_id),
    known: () => [...byWaId.values()],
    move(from, to) {
      const old = get(from);
      byWaId.delete(from);
      byUserId.delete(old.user_id);
      return update(to, { ...old, wa_id: to, user_id: userId(to) });
    },
    clear() {
      byWaId.clear();
      byUserId.clear();
    },
  };
}

/** A business-scoped user id of the documented form (section 12), derived from the number. */
function userId(wa_id: string): string {
  const digest = createHash('sha256').update(wa_id).digest().readBigUInt64BE();
  return `US.${digest.toString().padStart(20, '1')}`;
}
