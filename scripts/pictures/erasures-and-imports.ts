import type { ErasureReceipt, ImportState } from '@majlis/console-api';
import type { Page } from 'playwright-core';

const user = { id: 'usr_01jk5aisha', name: 'Aisha Al Balushi' };
const deleted: ErasureReceipt['deleted'] = {
  ...{ messages: 248, notes: 6, files: 31, conversations: 2, identities: 1, consent_records: 3, drafts: 1 },
  ...{ broadcast_recipients: 12, workflow_runs: 4, ai_answers: 9, events: 512, stored_answers: 40, saved_views: 0 },
  scheduled_messages: 1,
  proposals: 1,
  import_rows: 2,
};
const receipt: ErasureReceipt = {
  version: 1,
  kind: 'contact_erasure',
  id: '01m89kg82tewevcnswjnvkdzt6',
  workspace_id: 'ws_01m89kg0ptepk97za3gx5pw3w9',
  contact_id: 'ct_01m89kg82tewevcnswjnvkdzt6',
  erased_at: '2026-11-20T09:12:00.000Z',
  actor: { kind: 'api_key', id: 'mjl_live_3f9a' },
  deleted,
};
const signed = (part: Partial<ErasureReceipt>) => ({
  receipt: { ...receipt, ...part },
  algorithm: 'Ed25519',
  key_id: 'ef175eb8989ef1d1',
  signature: 'c2lnbmF0dXJl',
});

/** An erasure by an integration, and one of somebody who never wrote. */
export async function showReceipts(page: Page): Promise<void> {
  const few = { ...Object.fromEntries(Object.keys(deleted).map((kind) => [kind, 0])), identities: 1, events: 1 };
  const other = { id: '01m', contact_id: 'ct_01m89kg0ptepk97za3gx5pw3w9', deleted: few as typeof deleted };
  const data = [signed({}), signed(other)];
  await page.route('**/erasure-receipts*', (route) => route.fulfill({ json: { data, has_more: false } }));
}

/** One that runs, one that is done with rows left out, and one that was cancelled. */
export async function showImports(page: Page): Promise<void> {
  const done: ImportState = {
    id: '1',
    file_name: 'customers-2026.csv',
    status: 'done',
    ...{ rows_total: 4_120, rows_done: 4_120, created: 3_980, updated: 128, left_out: 12, has_left_out_rows: true },
    rows_kept_until: '2026-11-27T09:12:00.000Z',
    ...{ user, created_at: '2026-11-20T09:10:00.000Z', ended_at: '2026-11-20T09:12:00.000Z' },
  };
  const running: ImportState = {
    ...{ id: '2', file_name: 'عملاء المتجر.csv', status: 'running', has_left_out_rows: false },
    ...{ rows_total: 200_000, rows_done: 84_000, created: 80_112, updated: 3_880, left_out: 8 },
    ...{ user, created_at: '2026-11-20T10:02:00.000Z' },
  };
  const cancelled: ImportState = {
    ...done,
    id: '3',
    status: 'cancelled',
    file_name: 'old.csv',
    has_left_out_rows: false,
  };
  delete cancelled.rows_kept_until;
  const data = [running, done, cancelled];
  await page.route('**/contact-imports', (route) => route.fulfill({ json: { data } }));
}
