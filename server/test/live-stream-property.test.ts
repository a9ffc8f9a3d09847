import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from '@majlis/testing/fast-check';
import { arbitrarySteps } from '@majlis/testing/live/arbitrary-steps';
import { createRightsModel } from '@majlis/testing/live/follow-rights';
import { startTestService } from '@majlis/testing/start-test-service';

it('no stream tells of another tenant or of a hidden conversation, whatever happens to the rights', async () => {
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const perform = await createRightsModel(majlis);
  const holds = fc.asyncProperty(arbitrarySteps, async (steps) => assert.deepEqual(await perform(steps), []));
  await fc.assert(holds, { numRuns: 8, endOnFailure: true });
});
