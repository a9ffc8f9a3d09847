import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, sendText, statusEventsOf, untilStatus } from '@majlis/testing/messages';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestService } from '@majlis/testing/start-test-service';

const env = { RATE_LIMITS: 'off' };
const numberPaced = await startTestService({
  env,
  simulator: { switches: { throughput: true, throughput_per_second: 5 } },
});
const customerPaced = await startTestService({ env, simulator: { switches: { pair_rate: true } } });

const dispatches = (majlis: TestService) =>
  majlis.sql<{ failures: number }>(`select failures from jobs where kind = 'messages.deliver_message'`);
const sentIds = (majlis: TestService, ids: readonly string[]) =>
  majlis.simulator.ledger().flatMap(({ biz_opaque_callback_data: id }) => (id && ids.includes(id) ? [id] : []));

/** Moves both clocks on until nothing waits to be sent. */
async function letTimePass(majlis: TestService, seconds: number): Promise<void> {
  await eventually(
    async () => {
      await majlis.advance(seconds);
      return dispatches(majlis);
    },
    (jobs) => jobs.length === 0,
  );
}

it('more than the number may send in a second waits; none fails, and none is sent twice', async () => {
  const majlis = numberPaced;
  const workspace = await majlis.workspace();
  const heard = await Promise.all(Array.from({ length: 30 }, () => receiveMessage(majlis, workspace, newDigits())));
  const ids = await Promise.all(heard.map(({ conversation_id }) => sendText(workspace, conversation_id)));
  await eventually(
    () => dispatches(majlis),
    (jobs) => jobs.some(({ failures }) => failures > 0),
  );
  await letTimePass(majlis, 2);
  for (const id of ids) await untilStatus(majlis, id, 'read');
  assert.deepEqual(sentIds(majlis, ids).toSorted(), ids.toSorted());
  for (const id of ids) assert.ok(!(await statusEventsOf(majlis, id)).includes('failed'));
});

it('more than one customer may get at once waits, in order, and holds up nobody else', async () => {
  const majlis = customerPaced;
  const workspace = await majlis.workspace();
  const [eager, other] = [
    await receiveMessage(majlis, workspace, newDigits()),
    await receiveMessage(majlis, workspace, newDigits()),
  ];
  // The platform takes 45 at once, then one in six seconds.
  const ids: string[] = [];
  for (let n = 0; n < 60; n++) ids.push(await sendText(workspace, eager.conversation_id, `message ${n}`));
  await eventually(
    () => dispatches(majlis),
    (jobs) => jobs.some(({ failures }) => failures > 0),
  );
  const beside = await sendText(workspace, other.conversation_id);
  await untilStatus(majlis, beside, 'read');
  assert.ok(sentIds(majlis, ids).length < 60, 'nothing waited');

  await letTimePass(majlis, 10);
  assert.deepEqual(sentIds(majlis, ids), ids);
  for (const id of ids) await untilStatus(majlis, id, 'read');
});
