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
  /** How many people have left a number. The platform hands on numbers, and never user ids. */
  const owners = new Map<string, number>();

  function get(wa_id: string): Customer {
    return byWaId.get(wa_id) ?? { wa_id, name: '', user_id: userIdOf(wa_id) };
  }

  function userIdOf(wa_id: string): string {
    const before = owners.get(wa_id) ?? 0;
    return userId(before === 0 ? wa_id : `${wa_id} ${before}`);
  }

  function leave(wa_id: string): void {
    const known = get(wa_id);
    byWaId.delete(wa_id);
    byUserId.delete(known.user_id);
    owners.set(wa_id, (owners.get(wa_id) ?? 0) + 1);
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
      leave(from);
      if (byWaId.has(to)) leave(to);
      return update(to, { ...old, wa_id: to, user_id: userIdOf(to) });
    },
    clear() {
      byWaId.clear();
      byUserId.clear();
      owners.clear();
    },
  };
}

/** A business-scoped user id of the documented form (section 12), derived from the number and its owners before. */
function userId(owned: string): string {
  const digest = createHash('sha256').update(owned).digest().readBigUInt64BE();
  return `US.${digest.toString().padStart(20, '1')}`;
}
