import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ wallet: { balance_minor: 5_000, currency: 'OMR' } });
const { name } = workspace.applied.workspace;
await majlis.operator('PUT', '/workspaces', { workspace: { name, timezone: 'Asia/Muscat' } });
const id = parseId('workspace', workspace.id);
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });

describe('failures by reason', () => {
  it('count the failed messages of the days and of a template, the most frequent first', async () => {
    const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };
    for (let n = 0; n < 4; n++) {
      await workspace.api.post('/messages', { to: `+${newDigits()}`, kind: 'template', template });
    }
    // A report that comes later would undo the failure.
    await eventually(
      () => majlis.sql(`select from messages where workspace_id = $1 and status = 'read'`, [id]),
      ({ length }) => length === 4,
    );
    const errors = ['131026: Undeliverable', '131026: Undeliverable.', 'something odd', 'window_closed'];
    const rows = await majlis.sql<{ id: string }>('select id from messages where workspace_id = $1 order by id', [id]);
    for (const [index, row] of rows.entries()) {
      await majlis.sql(
        `update messages set status = 'failed', error = $2, created_at = '2026-03-01T20:30:00Z' where id = $1`,
        [row.id, errors[index]],
      );
    }
    const read = async (query: string) => (await admin.at('GET', `/analytics/failures?${query}`)).body;
    // In Muscat it is the second of March already.
    const { data } = await read('from=2026-03-02&to=2026-03-02');
    assert.deepEqual(data, [
      { code: '131026', error: '131026: Undeliverable', count: 2 },
      { error: 'something odd', count: 1 },
      { code: 'window_closed', error: 'window_closed', count: 1 },
    ]);
    assert.deepEqual((await read('from=2026-03-01&to=2026-03-01')).data, []);
    assert.equal((await read('from=2026-03-02&to=2026-03-02&template=order_update')).data.length, 3);
    assert.deepEqual((await read('from=2026-03-02&to=2026-03-02&template=other')).data, []);
    assert.equal((await read('from=2026-03-03&to=2026-03-02')).errors[0].pointer, '/from');
  });
});

describe('fees', () => {
  it('add up by day and category, and show what the operator changed', async () => {
    const book = (reference: string, category: string, amount: number, at: string) =>
      majlis.sql(
        `insert into ledger_entries (workspace_id, reference, kind, category, amount_minor, created_at)
         values ($1, $2, 'conversation_fee', $3, $4, $5)`,
        [id, reference, category, -amount, at],
      );
    await book('a', 'utility', 8, '2026-03-01T19:59:59Z');
    await book('b', 'utility', 8, '2026-03-01T20:00:00Z');
    await book('c', 'marketing_lite', 20, '2026-03-02T10:00:00Z');
    await book('d', 'utility', 0, '2026-03-02T11:00:00Z');
    const { status, body } = await admin.at('GET', '/fees?from=2026-03-01&to=2026-03-02');
    assert.equal(status, 200);
    assert.deepEqual(body.data, [
      { date: '2026-03-01', category: 'utility', conversations: 1, amount_minor: 8 },
      { date: '2026-03-02', category: 'marketing_lite', conversations: 1, amount_minor: 20 },
      { date: '2026-03-02', category: 'utility', conversations: 2, amount_minor: 8 },
    ]);
    assert.deepEqual(body.adjustments, []);
    const all = (await admin.at('GET', '/fees?from=2020-01-01&to=2030-01-01')).body.adjustments;
    assert.deepEqual(
      all.map(({ amount_minor }: AnyJson) => amount_minor),
      [5_000],
    );
    const long = await admin.at('GET', '/fees?from=2000-01-01&to=2030-01-01');
    assert.deepEqual([long.status, long.body.errors[0].pointer], [422, '/to']);
  });

  it('are for administrators', async () => {
    const supervisor = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
    const days = 'from=2026-03-01&to=2026-03-02';
    assert.equal((await supervisor.at('GET', `/fees?${days}`)).status, 403);
    assert.equal((await supervisor.at('GET', `/analytics/failures?${days}`)).status, 200);
  });
});
