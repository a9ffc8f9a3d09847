import { isDeepStrictEqual } from 'node:util';
import { eventually } from '../../server/test/support/eventually.ts';
import type { Run } from '../section.ts';
import { openWorld, type World } from './open-world.ts';
import { proveSchedule } from './prove-schedule.ts';
import { type Rule, rules } from './rules.ts';

/**
 * Every rule about time a millisecond before its edge, on it and a millisecond after it, through the public door of a
 * service whose clock stands still in between.
 */
export async function proveClock({ seed, say }: Run): Promise<string[]> {
  const world = await openWorld(seed);
  const faults: string[] = [];
  for (const rule of rules) faults.push(...(await proveRule(world, rule)));
  faults.push(...(await proveSchedule(world)));
  say(`${rules.length} rules at -1, 0 and +1 ms, the schedule of webhooks and the end of an endpoint`);
  return faults;
}

async function proveRule(world: World, { name, open, before, after, comes }: Rule): Promise<string[]> {
  const faults: string[] = [];
  const { edge_ms, look } = await open(world);
  for (const offset of [-1, 0, 1]) {
    await world.moveTo(edge_ms + offset);
    const expected = offset < 0 ? before : after;
    if (comes && offset < 0) await world.passed();
    const isSo = (seen: unknown) => isDeepStrictEqual(seen, expected);
    const seen = comes && offset >= 0 ? await eventually(look, isSo, 60_000).catch(look) : await look();
    if (!isSo(seen))
      faults.push(`${name}: at ${offset} ms it is ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`);
  }
  return faults;
}
