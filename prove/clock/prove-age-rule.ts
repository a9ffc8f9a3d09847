import { isDeepStrictEqual } from 'node:util';
import type { AgeRule, Scene } from './rule.ts';

/** Makes three things a millisecond apart, and asks for their age at the moment at which the one in the middle reaches it. */
export async function proveAgeRule(scene: Scene, { age_ms, open, expected }: AgeRule): Promise<string[]> {
  const { make, meet, look } = await open(scene);
  const edge_ms = scene.nowMs() + 1 + age_ms;
  const things: string[] = [];
  for (let n = 0; n < 3; n++) {
    if (n > 0) await scene.moveTo(scene.nowMs() + 1);
    things.push(await make());
  }
  await meet(edge_ms);
  const seen: unknown[] = [];
  for (const thing of things.toReversed()) seen.push(await look(thing));
  if (isDeepStrictEqual(seen, expected)) return [];
  return [`1 ms younger, of this age and 1 ms older it is ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`];
}
