import { setTimeout as pause } from 'node:timers/promises';
import { mirrorLive } from '@majlis/testing/live/mirror-live';
import { stirWorkspace } from '@majlis/testing/live/stir-workspace';
import { startStirredWorkspace } from '@majlis/testing/live/stirred-workspace';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';
import type { ProofRun } from '../section.ts';

const patienceMs = 60_000;
// How long a cut lasts.
const cutMs = { full: [1_000, 120_000], quick: [100, 2_000] } as const;

/** Consoles of four people are cut under writes, for a second to two minutes each time, and compared after each cut. */
export async function proveCuts({ seed, count, quick, log }: ProofRun): Promise<string[]> {
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const random = seededRandom(seed);
  const workspace = await startStirredWorkspace(majlis);
  const mirrors = await Promise.all([workspace.owner, ...workspace.agents].map((one) => mirrorLive(majlis, one)));
  const [shortest, longest] = cutMs[quick ? 'quick' : 'full'];
  const faults: string[] = [];
  let writes = 0;
  let cut_ms = 0;
  for (let cut = 0; cut < count; cut++) {
    const writing = stirWorkspace(random, workspace);
    await pause(random.between(100, 1_000));
    for (const mirror of mirrors) mirror.cut();
    // Many cuts are short and some are long.
    const ms = Math.round(shortest * (longest / shortest) ** random.next());
    cut_ms += ms;
    await pause(ms);
    await Promise.all(mirrors.map((mirror) => mirror.resume()));
    await pause(random.between(100, 1_000));
    writes += await writing.stop();
    for (const mirror of mirrors) faults.push(...(await mirror.differences(patienceMs)));
  }
  const resets = mirrors.reduce((sum, mirror) => sum + mirror.resets(), 0);
  for (const mirror of mirrors) mirror.cut();
  await majlis.stop();
  log(`${count} cuts of 4 consoles, ${Math.round(cut_ms / 1000)} s in all, under ${writes} writes; ${resets} resets`);
  return faults;
}
