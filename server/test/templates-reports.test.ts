import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import { postSigned, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { fetchTemplate, listAtPlatform, templateEventsOf } from '@majlis/testing/templates';
import { parseId } from '../src/database/ids.ts';

// Reports that the platform's own list does not bear out: the account cannot be listed, so that they alone count.
const majlis = await startTestService();

interface Told {
  workspace: TestWorkspace;
  id: string;
  /** Reports an event of the template, at a second of the platform's time. */
  report(event: string, time?: number, more?: object): Promise<void>;
  statuses(): Promise<string[]>;
}

/** A workspace with a template that the platform has, in an account that lets nobody list it any more. */
async function tell(): Promise<Told> {
  const workspace = await majlis.workspace();
  const id = workspace.applied.templates[0].id;
  await eventually(
    () => majlis.sql('select platform_template_id from templates where id = $1', [parseId('template', id)]),
    ([row]) => row!.platform_template_id !== null,
  );
  await callControl(majlis, 'PATCH', `/numbers/${workspace.phone_number_id}`, { token_expired: true });
  const [template] = await listAtPlatform(majlis, workspace, 'order_update');
  return {
    workspace,
    id,
    async report(event, time, more = {}) {
      const value = {
        event,
        message_template_id: Number(template!.id),
        message_template_name: 'order_update',
        message_template_language: 'en',
        reason: 'NONE',
        ...more,
      };
      const field = 'message_template_status_update';
      const entry = { id: workspace.waba_id, ...(time && { time }), changes: [{ field, value }] };
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [entry] });
      const response = await postSigned(majlis, body, workspace.app_secret);
      assert.equal(response.status, 200);
      await untilNotificationsProcessed(majlis);
    },
    statuses: async () => (await templateEventsOf(majlis, workspace)).map(({ data }) => data.template.status),
  };
}

describe('reports on the status of a template', () => {
  it('count once, however often they are repeated', async () => {
    const { workspace, id, report, statuses } = await tell();
    await Promise.all([1, 2, 3, 4].map(() => report('REJECTED', 1_790_000_000, { reason: 'SCAM' })));
    assert.deepEqual(await statuses(), ['rejected']);
    const { status, rejection_reason, review_history } = await fetchTemplate(workspace, id);
    assert.deepEqual([status, rejection_reason], ['rejected', 'SCAM']);
    assert.deepEqual(
      review_history!.map((entry) => entry.status),
      ['approved', 'rejected'],
    );
  });

  it('count with NUL and half surrogates in their reason', async () => {
    const { workspace, id, report, statuses } = await tell();
    await report('REJECTED', 1_790_000_000, { reason: 'SC\u0000AM\ud800' });
    assert.deepEqual(await statuses(), ['rejected']);
    assert.equal((await fetchTemplate(workspace, id)).rejection_reason, 'SC\ufffdAM\ufffd');
  });

  it('do not undo a later one when they come late', async () => {
    const { workspace, id, report, statuses } = await tell();
    await report('PAUSED', 1_790_000_100);
    await report('PENDING', 1_790_000_000);
    await report('APPROVED', 1_790_000_099);
    assert.deepEqual(await statuses(), ['paused']);
    await report('APPROVED', 1_790_000_100);
    await report('FLAGGED', 1_790_000_101);
    await report('DISABLED');
    assert.deepEqual(await statuses(), ['paused', 'approved', 'disabled']);
    assert.equal((await fetchTemplate(workspace, id)).status, 'disabled');
  });

  it('date what is known already, so that an older one still comes too late', async () => {
    const { report, statuses } = await tell();
    await report('APPROVED', 1_790_000_200);
    await report('PAUSED', 1_790_000_100);
    assert.deepEqual(await statuses(), []);
  });

  it('leave `updated_at` where they tell nothing new', async () => {
    const { workspace, id, report } = await tell();
    await report('APPROVED', 1_790_000_000);
    const before = await fetchTemplate(workspace, id);
    await majlis.advance(60);
    await report('APPROVED', 1_790_000_100);
    await report('FLAGGED', 1_790_000_200);
    assert.deepEqual(await fetchTemplate(workspace, id), before);
    await report('PAUSED', 1_790_000_300);
    assert.notEqual((await fetchTemplate(workspace, id)).updated_at, before.updated_at);
  });

  it('name it by the platform’s id: the deletion of another of its name is not its own', async () => {
    const { workspace, id, report } = await tell();
    await majlis.sql('update templates set platform_template_id = null where id = $1', [parseId('template', id)]);
    await report('DELETED', 1_790_000_000, { message_template_id: 880_000 });
    assert.equal((await fetchTemplate(workspace, id)).status, 'approved');
    await report('PAUSED', 1_790_000_000);
    assert.equal((await fetchTemplate(workspace, id)).status, 'paused');
  });

  it('of another account are not applied', async () => {
    const { workspace, id } = await tell();
    const other = await tell();
    const value = {
      event: 'DISABLED',
      message_template_id: Number((await listAtPlatform(majlis, workspace, 'order_update'))[0]!.id),
      message_template_name: 'order_update',
      message_template_language: 'en',
    };
    const changes = [{ field: 'message_template_status_update', value }];
    const body = { object: 'whatsapp_business_account', entry: [{ id: workspace.waba_id, changes }] };
    await postSigned(majlis, JSON.stringify(body), other.workspace.app_secret);
    await untilNotificationsProcessed(majlis);
    assert.equal((await fetchTemplate(workspace, id)).status, 'approved');
  });
});
