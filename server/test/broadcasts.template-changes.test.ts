import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBroadcastClient, utilityTemplate } from '@majlis/testing/broadcasts';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

// The platform changes a template in the middle of its broadcast: some messages wait for dispatch, some for a place in the tier.
// A message that fails frees its place, so nobody who waits finds one until the tier is raised.
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off' },
  simulator: { delays: { sent_ms: 1, delivered_ms: 2, read_ms: null, review_ms: 10 } },
});
const { create, outcomes, pauseDispatch, sentTo, setTier, untilCounts, untilHandedOver, untilIdle } =
  createBroadcastClient(majlis);
const accepted = 20;
const total = 60;

/** A broadcast with messages that wait for dispatch, and recipients who wait for the tier. */
async function begin() {
  const workspace = await majlis.workspace();
  const resume = await pauseDispatch(workspace);
  await setTier(workspace, accepted);
  const recipients = Array.from({ length: total }, () => ({ to: `+${newDigits()}`, params: ['Muna', 'A-1'] }));
  const { id } = await create(workspace, { recipients });
  await untilHandedOver(id, accepted);
  return { workspace, resume, id };
}

async function changeTemplate({ id }: TestWorkspace, change: object): Promise<void> {
  const [row] = await majlis.sql<{ id: string }>(
    'select platform_template_id as id from templates where workspace_id = $1 and name = $2',
    [parseId('workspace', id), utilityTemplate.name],
  );
  await callControl(majlis, 'PATCH', `/templates/${row!.id}`, change);
  await eventually(majlis.simulator.pending, (count) => count === 0);
  await untilNotificationsProcessed(majlis);
}

async function untilBulkDone(): Promise<void> {
  await majlis.advance(60);
  await untilIdle();
  await eventually(
    () => majlis.sql("select from jobs where kind = 'messages.deliver_bulk'"),
    ({ length }) => length === 0,
  );
}

async function reasons(workspace: TestWorkspace, id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { error = 'none' } of (await outcomes(workspace, id)) as AnyJson[])
    counts[error] = (counts[error] ?? 0) + 1;
  return counts;
}

const optIn = 'A marketing template needs the opt-in of the contact, consents.chatapp_marketing.';
for (const [change, waiting, left] of [
  [{ status: 'PAUSED' }, 'The template is no longer approved: it is paused.', 'template_not_found'],
  [{ status: 'DISABLED' }, 'The template is no longer approved: it is disabled.', 'template_not_found'],
  [{ category: 'MARKETING' }, `unprocessable_content: ${optIn}`, `unprocessable_content: /template/name ${optIn}`],
] as const) {
  it(`everybody who is left fails with the reason, once: ${JSON.stringify(change)}`, async () => {
    const { workspace, resume, id } = await begin();
    await changeTemplate(workspace, change);
    await setTier(workspace, 0);
    await resume();
    await untilBulkDone();
    await untilCounts(workspace, id, { failed: accepted, queued: total - accepted });
    await setTier(workspace, 1_000);
    await untilBulkDone();
    assert.equal((await untilCounts(workspace, id, { failed: total })).status, 'sent');
    assert.deepEqual(await reasons(workspace, id), { [waiting]: accepted, [left]: total - accepted });
    assert.deepEqual(sentTo(workspace), []);
  });
}

it('who waited for a place gets it where the template is approved again meanwhile', async () => {
  const { workspace, resume, id } = await begin();
  await changeTemplate(workspace, { status: 'PAUSED' });
  await setTier(workspace, 0);
  await resume();
  await untilBulkDone();
  await changeTemplate(workspace, { status: 'APPROVED' });
  await setTier(workspace, 1_000);
  await untilBulkDone();
  await untilCounts(workspace, id, { failed: accepted, sent: total - accepted });
  assert.equal(new Set(sentTo(workspace)).size, total - accepted);
});

it('what was accepted before its template was deleted is decided by the platform, and nobody else gets it', async () => {
  const { workspace, resume, id } = await begin();
  const { data } = (await workspace.api.get('/chatapp/templates')).body;
  const { id: template_id } = data.find(({ name }: AnyJson) => name === utilityTemplate.name);
  assert.equal((await workspace.api.request('DELETE', `/chatapp/templates/${template_id}`)).status, 204);
  await resume();
  await setTier(workspace, 1_000);
  await untilBulkDone();
  await untilCounts(workspace, id, { queued: 0, sent: accepted });
  assert.deepEqual(await reasons(workspace, id), { none: accepted, template_not_found: total - accepted });
});
