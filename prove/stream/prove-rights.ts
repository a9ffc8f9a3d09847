import { arbitrarySteps } from '@majlis/testing/live/arbitrary-steps';
import { createRightsModel } from '@majlis/testing/live/follow-rights';
import { startTestService } from '@majlis/testing/start-test-service';
import fc from 'fast-check';
import type { ProofRun } from '../section.ts';

// Each has 20 to 40 steps.
const sequences = { quick: 5, full: 500 };

/** Random assignments and changes of rights between writes; every event is judged by a model of the rights. */
export async function proveRights({ seed, quick, log }: ProofRun): Promise<string[]> {
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const perform = await createRightsModel(majlis);
  const runs = fc.sample(arbitrarySteps, { seed, numRuns: sequences[quick ? 'quick' : 'full'] });
  const faults: string[] = [];
  for (const steps of runs) faults.push(...(await perform(steps)));
  await majlis.stop();
  const steps = runs.reduce((sum, { length }) => sum + length, 0);
  log(`${runs.length} sequences of ${steps} writes and changes of rights, 2 agents and a stranger`);
  return faults;
}
