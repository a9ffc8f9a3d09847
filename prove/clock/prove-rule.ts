import { isDeepStrictEqual } from 'node:util';
import type { Rule, Scene } from './rule.ts';

/** Looks a millisecond before the edge, on it and a millisecond after it. */
export async function proveRule(scene: Scene, { open, before, after, comes }: Rule): Promise<string[]> {
  const faults: string[] = [];
  const { edge_ms, look } = await open(scene);
  for (const offset of [-1, 0, 1]) {
    await scene.moveTo(edge_ms + offset);
    if (comes) await (offset < 0 ? scene.passed() : scene.settled());
    const seen = await look();
    const expected = offset < 0 ? before : after;
    if (!isDeepStrictEqual(seen, expected))
      faults.push(`at ${offset} ms it is ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`);
  }
  return faults;
}
