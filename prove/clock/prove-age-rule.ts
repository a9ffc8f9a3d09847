import { isDeepStrictEqual } from 'node:util';
import type { AgeRule, RuleContext } from './rule.ts';

/** Creates three things a millisecond apart, and observes them when the second one reaches the age. */
export async function proveAgeRule(context: RuleContext, { age_ms, open, expected }: AgeRule): Promise<string[]> {
  const { make, meet, observe } = await open(context);
  const edge_ms = context.nowMs() + 1 + age_ms;
  const things: string[] = [];
  for (let n = 0; n < 3; n++) {
    if (n > 0) await context.moveTo(context.nowMs() + 1);
    things.push(await make());
  }
  await meet(edge_ms);
  const seen: unknown[] = [];
  for (const thing of things.toReversed()) seen.push(await observe(thing));
  if (isDeepStrictEqual(seen, expected)) return [];
  return [`1 ms younger, of this age and 1 ms older it is ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`];
}
