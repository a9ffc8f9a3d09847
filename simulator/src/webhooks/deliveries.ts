export type Delivery = {
  id: number;
  callback_url: string;
  at: number;
  /** The number of items by list or field. */
  carries: Record<string, number>;
  state: 'posting' | 'delivered' | 'retrying' | 'lost';
  attempts: { at: number; status: number | null; error: string | null; took_ms: number }[];
  signature: string;
  body: string;
};

/** The latest deliveries, for the page and tests. */
export type Deliveries = {
  add(delivery: Omit<Delivery, 'id'>): Delivery;
  latest(count: number): Delivery[];
  clear(): void;
};

const kept = 500;

export function makeDeliveries(): Deliveries {
  const list: Delivery[] = [];
  let lastId = 0;
  return {
    add(given) {
      const delivery = { id: ++lastId, ...given };
      list.push(delivery);
      if (list.length > kept * 2) list.splice(0, kept);
      return delivery;
    },
    latest: (count) => list.slice(-Math.min(count, kept)),
    clear: () => list.splice(0),
  };
}
