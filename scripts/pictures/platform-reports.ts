import type { ThreadChange } from '@majlis/console-api';
import type { Page, Route } from 'playwright-core';

// What the platform reports, as it would stand in the demo.

type Change = Pick<ThreadChange, 'kind'> & Pick<Partial<ThreadChange>, 'call' | 'link' | 'payment'>;

const changes: Change[] = [
  { kind: 'called', call: { by: 'customer', outcome: 'missed' } },
  { kind: 'called', call: { by: 'customer', outcome: 'answered', duration_seconds: 125 } },
  { kind: 'called', call: { by: 'business', outcome: 'declined' } },
  { kind: 'link_clicked', link: { component: 'cta' } },
  { kind: 'payment_reported', payment: { reference_id: 'A-1007', status: 'pending' } },
  {
    kind: 'payment_reported',
    payment: { reference_id: 'A-1008', status: 'captured', amount: 21.5, currency: 'OMR' },
  },
];

/** Calls, a click and payments at the end of the thread. */
export const showReportedLines = (page: Page) =>
  addTo(page, '**/thread?*', (answer) => {
    const at = new Date().toISOString();
    const lines = changes.map((change, n) => {
      const id = `cch_7zzzzzzzzzzzzzzzzzzzzzzzz${n}`;
      return { type: 'change', id, actor_kind: 'system', created_at: at, ...change };
    });
    return { ...answer, data: [...(answer.data as unknown[]), ...lines] };
  });

export const showVolumeTiers = (page: Page) =>
  addTo(page, '**/fees?*', (answer) => {
    const of = { waba_id: '1', effective_month: '2026-11', updated_at: new Date().toISOString() };
    const tiers = [
      { ...of, category: 'utility', region: 'Oman', from_count: 1_000_001, to_count: 5_000_000 },
      { ...of, category: 'authentication', region: 'Rest of Middle East', from_count: 5_000_001 },
    ];
    return { ...answer, volume_tiers: tiers };
  });

export const showUsername = (page: Page) =>
  addTo(page, '**/channel-states', (answer) => {
    const states = answer.data as object[];
    return {
      ...answer,
      data: states.map((state) => ({ ...state, username: { name: 'acme_store', status: 'reserved' } })),
    };
  });

type Answer = Record<string, unknown>;

function addTo(page: Page, path: string, change: (answer: Answer) => Answer): Promise<unknown> {
  return page.route(path, async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Answer) });
  });
}
