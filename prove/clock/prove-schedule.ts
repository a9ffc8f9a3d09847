import { day, type RuleContext, type Schedule } from './rule.ts';

/** Each try is missing one millisecond before its time, and made when its time and its spread have passed. */
export async function proveSchedule(
  context: RuleContext,
  { delays_ms, spread_ms, ends, open }: Schedule,
): Promise<string[]> {
  const faults: string[] = [];
  const { made, prepare } = await open(context);
  const before = await made();
  const check = async (expected: number, when: string) => {
    const count = (await made()) - before;
    if (count !== expected) faults.push(`${when} there were ${count} more tries, not ${expected}`);
  };
  for (const [place, delay_ms] of delays_ms.entries()) {
    const due = context.nowMs() + delay_ms;
    await context.moveTo(due - 1);
    await prepare?.();
    await context.untilDueWorkDone();
    await check(place, `1 ms before ${delay_ms} ms had passed`);
    await context.moveTo(due + spread_ms(delay_ms));
    await context.settled();
    await check(place + 1, `when ${delay_ms} ms had passed`);
  }
  if (ends) {
    await prepare?.();
    await context.moveTo(context.nowMs() + 2 * day);
    await context.settled();
    await check(delays_ms.length, 'two days after the last one');
  }
  return faults;
}
