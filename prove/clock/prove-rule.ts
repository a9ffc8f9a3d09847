import { isDeepStrictEqual } from 'node:util';
import type { Rule, RuleContext } from './rule.ts';

/** Observes at the edge, one millisecond before it and one after it. */
export async function proveRule(
  context: RuleContext,
  { open, before = false, after = true, comes }: Rule,
): Promise<string[]> {
  const faults: string[] = [];
  const { edge_ms, observe } = await open(context);
  for (const offset of [-1, 0, 1]) {
    await context.moveTo(edge_ms + offset);
    if (comes) await (offset < 0 ? context.untilDueWorkDone() : context.settled());
    const seen = await observe();
    const expected = offset < 0 ? before : after;
    if (!isDeepStrictEqual(seen, expected))
      faults.push(`at ${offset} ms it is ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`);
  }
  return faults;
}
