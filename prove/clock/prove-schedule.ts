import { limits } from '@majlis/contract';
import { eventually } from '../../server/test/support/eventually.ts';
import type { World } from './open-world.ts';

const { retry_delays_seconds, disable_after_seconds } = limits.webhook;
// A retry may come later by this, and never earlier.
const mostSpreadMs = 2_000;

/**
 * The attempts of one event to a receiver that fails, each not a millisecond before its time; and the endpoint's end: with
 * the first failed attempt at or after three days, and not with one a millisecond before.
 */
export async function proveSchedule({ api, receiver, hear, moveTo, nowMs, passed }: World): Promise<string[]> {
  const faults: string[] = [];
  receiver.answer(500);
  const endpoint = { url: receiver.url, events: ['message.received'] };
  const { id } = (await api.post('/webhook-endpoints', endpoint)).body;
  const arrived = () => receiver.arrivals.length;
  const recorded = async () => (await api.get(`/webhook-endpoints/${id}/deliveries`)).body.data.length as number;
  const until = (count: number) => eventually(recorded, (found) => found >= count, 60_000);

  const began = nowMs();
  await hear();
  await until(1);
  for (const [place, seconds] of retry_delays_seconds.entries()) {
    const due = nowMs() + seconds * 1000;
    await moveTo(due - 1);
    await passed();
    if (arrived() !== place + 1) faults.push(`attempt ${place + 2} was made before its ${seconds} s had passed`);
    await moveTo(due + mostSpreadMs);
    await until(place + 2);
  }
  const isEnabled = async () => {
    const { data } = (await api.get('/webhook-endpoints')).body as { data: { id: string; enabled: boolean }[] };
    return data.find((one) => one.id === id)!.enabled;
  };
  const attempts = retry_delays_seconds.length + 1;
  const disabled = began + disable_after_seconds * 1000;
  await moveTo(disabled - 1);
  await hear();
  await until(attempts + 1);
  if (!(await isEnabled())) faults.push('the endpoint was disabled a millisecond before three days of failures');
  await moveTo(disabled);
  await hear();
  await eventually(isEnabled, (enabled) => !enabled, 60_000);
  return faults;
}
