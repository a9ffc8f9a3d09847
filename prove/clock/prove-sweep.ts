import type { RuleContext, Sweep } from './rule.ts';

/**
 * Creates three things a millisecond apart, the second at the moment of a sweep. The sweep at which the second reaches
 * the age deletes only the older one. The next sweep deletes the two others.
 */
export async function proveSweep(context: RuleContext, { kind, every_ms, keeps_ms, open }: Sweep): Promise<string[]> {
  const faults: string[] = [];
  const { moveTo, nowMs, settled, untilDueWorkDone } = context;
  const { make, isThere } = await open(context);
  const [{ run_at }] = (await context.sql('select run_at from jobs where kind = $1', [kind])) as [{ run_at: Date }];
  await moveTo(Math.max(run_at.getTime(), nowMs()));
  await settled();
  const sweep_ms = nowMs() + every_ms;
  const things: string[] = [];
  for (const offset of [-1, 0, 1]) {
    await moveTo(sweep_ms + offset);
    await settled();
    things.push(await make());
  }
  const check = async (expected: boolean[], when: string) => {
    for (const [n, thing] of things.entries()) {
      const seen = await isThere(thing);
      const age = `what is ${1 - n} ms older than it keeps`;
      if (seen.some((one) => one !== expected[n]))
        faults.push(`${when}, ${age} is ${expected[n] ? 'gone' : 'there'}: ${seen.join()}`);
    }
  };
  const edge_ms = sweep_ms + keeps_ms;
  if (every_ms < keeps_ms) {
    await moveTo(edge_ms - every_ms);
    await settled();
  }
  await moveTo(edge_ms - 1);
  await untilDueWorkDone();
  await check([true, true, true], '1 ms before the sweep');
  await moveTo(edge_ms);
  await settled();
  await check([false, true, true], 'after the sweep');
  await moveTo(edge_ms + every_ms - 1);
  await untilDueWorkDone();
  await check([false, true, true], '1 ms before the next sweep');
  await moveTo(edge_ms + every_ms);
  await settled();
  await check([false, false, false], 'after the next sweep');
  return faults;
}
