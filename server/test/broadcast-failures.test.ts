import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBroadcastClient } from '@majlis/testing/broadcasts';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const { create, cancel, contact, pauseDispatch, untilCounts, untilHandedOver, untilStatus } =
  createBroadcastClient(majlis);

const readByOperator = ({ id }: TestWorkspace, broadcast_id: string) =>
  majlis.operator('GET', `/workspaces/${id}/broadcasts/${broadcast_id}`);
const ofCode = ({ failures }: AnyJson) => failures.map(({ code, count }: AnyJson) => [code, count]);

describe('the operator reads the failures of a broadcast', () => {
  it('by code: the number of the platform, or that of the refusal', async () => {
    const workspace = await majlis.workspace();
    const blocked = newDigits();
    const id = await contact(workspace, blocked);
    await workspace.api.request('PATCH', `/contacts/${id}`, { blocked: true });
    const unreachable = ['96890131026', '96891131026', '96892131026'];
    const recipients = [...unreachable, '96890130472', blocked, newDigits()];
    const broadcast = await create(workspace, { recipients: recipients.map((to) => ({ to, params: ['a', 'b'] })) });
    await untilCounts(workspace, broadcast.id, { total: 6, queued: 0, read: 1, failed: 5 });
    await untilStatus(workspace, broadcast.id, 'sent');
    const { status, body } = await readByOperator(workspace, broadcast.id);
    assert.equal(status, 200);
    assert.deepEqual(ofCode(body), [
      ['131026', 3],
      ['130472', 1],
      ['contact_blocked', 1],
    ]);
    assert.match(body.failures[0].error, /^131026: \S/);
    const { audience, ...shown } = (await workspace.api.get(`/broadcasts/${broadcast.id}`)).body;
    const { audience: omitted, failures, ...rest } = body;
    assert.deepEqual(rest, shown);
    assert.deepEqual([audience.recipients.length, omitted], [6, {}]);
  });

  it('of one that was cancelled, with those who were still waiting', async () => {
    const workspace = await majlis.workspace();
    const resume = await pauseDispatch(workspace);
    const recipients = Array.from({ length: 3 }, () => ({ to: newDigits(), params: ['a', 'b'] }));
    const { id } = await create(workspace, { recipients });
    await untilHandedOver(id, 3);
    await cancel(workspace, id);
    await resume();
    await untilCounts(workspace, id, { queued: 0, failed: 3 });
    const later = await create(workspace, { recipients }, { send_at: '2100-01-01T00:00:00Z' });
    await cancel(workspace, later.id);
    for (const cancelled of [id, later.id]) {
      const { body } = await readByOperator(workspace, cancelled);
      assert.deepEqual(body.failures, [
        { error: 'The broadcast was cancelled before the message was sent.', count: 3 },
      ]);
    }
  });

  it('of one without any, and of none: 404', async () => {
    const [workspace, other] = [await majlis.workspace(), await majlis.workspace()];
    const recipients = [{ to: newDigits(), params: ['a', 'b'] }];
    const { id } = await create(workspace, { recipients }, { send_at: '2100-01-01T00:00:00Z' });
    assert.deepEqual((await readByOperator(workspace, id)).body.failures, []);
    assert.equal((await readByOperator(other, id)).status, 404);
    assert.equal((await readByOperator(workspace, 'bc_1')).status, 404);
    assert.equal((await readByOperator({ ...workspace, id: 'ws_1' }, id)).status, 404);
  });
});
