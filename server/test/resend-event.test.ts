import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

it('reads an event of its workspace, in the words that receivers get, and none of another', async () => {
  const [own, other] = [await majlis.workspace(), await majlis.workspace()];
  await receiveTexts(majlis, own, 1);
  const [event] = (await own.api.get('/events')).body.data;
  assert.deepEqual((await own.api.get(`/events/${event.id}`)).body, event);
  assertRefused(await other.api.get(`/events/${event.id}`), 404);
  assertRefused(await own.api.get('/events/evt_none'), 404);
});

it('delivers an event once more: to those it was meant for, or to the one that is named', async () => {
  const [own, other] = [await majlis.workspace(), await majlis.workspace()];
  const [first, second, foreign] = [
    await startWebhookReceiver(),
    await startWebhookReceiver(),
    await startWebhookReceiver(),
  ];
  const register = async ({ api }: typeof own, { url }: typeof first) =>
    (await api.post('/webhook-endpoints', { url, events: ['*'] })).body.id;
  const endpoint_id = await register(own, first);
  const foreign_id = await register(other, foreign);
  await receiveTexts(majlis, own, 1);
  const arrived = (count: number, receiver = first) =>
    eventually(
      () => receiver.arrivals.length,
      (arrivals) => arrivals === count,
    );
  await arrived(1);
  const late_id = await register(own, second);
  const { id } = first.arrivals[0]!.event;

  // While the first delivery is not recorded as ended, there is nothing to restart.
  const again = await eventually(
    () => own.api.post(`/events/${id}/resend`, {}),
    ({ body }) => body.deliveries !== 0,
  );
  assert.deepEqual([again.status, again.body], [202, { deliveries: 1 }]);
  await arrived(2);
  assert.deepEqual(first.arrivals[1]!.body, first.arrivals[0]!.body);
  const named = await own.api.post(`/events/${id}/resend`, { endpoint_id: late_id });
  assert.deepEqual(named.body, { deliveries: 1 });
  await arrived(1, second);

  assertRefused(await other.api.post(`/events/${id}/resend`, {}), 404);
  assertRefused(await own.api.post(`/events/${id}/resend`, { endpoint_id: foreign_id }), 422);
  await own.api.request('PATCH', `/webhook-endpoints/${endpoint_id}`, { enabled: false });
  assertRefused(await own.api.post(`/events/${id}/resend`, { endpoint_id }), 422);
  assert.deepEqual((await own.api.post('/events/evt_none/resend', {})).status, 404);
  assert.deepEqual([first.arrivals.length, foreign.arrivals.length], [2, 0]);
});
