import type { Chat } from '../world/message.ts';
import type { BusinessAccount, BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';
import { GraphError } from './graph-error.ts';

const pairIntervalMs = 6_000;
const pairBurst = 45;

/** Refuses with 130429 beyond the number's throughput per second. Only accepted messages count. */
export function checkThroughput({ switches }: World, number: BusinessNumber, now: number): void {
  if (!switches.throughput) return;
  while (number.recent.length > 0 && number.recent[0]! <= now - 1_000) number.recent.shift();
  if (number.recent.length >= switches.throughput_per_second) throw new GraphError(130429);
}

/**
 * Refuses with 131056 beyond one message in 6 s to one user, with a burst of 45 (section 10). It is the generic cell rate
 * algorithm: its state is the theoretical arrival time of the next message.
 */
export function checkPairRate({ switches }: World, conversation: Chat | undefined, now: number): void {
  if (!switches.pair_rate || conversation?.pair_tat === undefined) return;
  if (conversation.pair_tat - now > (pairBurst - 1) * pairIntervalMs) throw new GraphError(131056);
}

export function countMessage(
  number: BusinessNumber,
  conversation: Chat,
  switches: World['switches'],
  now: number,
): void {
  if (switches.throughput) number.recent.push(now);
  if (switches.pair_rate) conversation.pair_tat = Math.max(now, conversation.pair_tat ?? 0) + pairIntervalMs;
}

/** Refuses with 80007 beyond 5,000 management calls an hour, 200 without a registered number (section 0). */
export function checkManagementRate(world: World, account: BusinessAccount): void {
  if (!world.switches.management_rate) return;
  const now = world.now();
  account.management_calls = account.management_calls.filter((at) => at > now - 3_600_000);
  const registered = [...world.numbers.values()].some((one) => one.waba_id === account.id && one.registered);
  if (account.management_calls.length >= (registered ? 5_000 : 200)) throw new GraphError(80007);
  account.management_calls.push(now);
}
