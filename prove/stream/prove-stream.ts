import type { ProofRun } from '../section.ts';
import { proveCuts } from './prove-cuts.ts';
import { proveRights } from './prove-rights.ts';
import { proveStorm } from './prove-storm.ts';

/**
 * The live stream: a console equals a fresh reading after any cut, nobody is told what they may not see, and 1,000 consoles
 * return after `kill -9` without a miss.
 */
export async function proveStream(run: ProofRun): Promise<string[]> {
  return [...(await proveCuts(run)), ...(await proveRights(run)), ...(await proveStorm(run))];
}
