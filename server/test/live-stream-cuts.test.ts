import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { mirrorLive } from '@majlis/testing/live/mirror-live';
import { stirWorkspace } from '@majlis/testing/live/stir-workspace';
import { startStirredWorkspace } from '@majlis/testing/live/stirred-workspace';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';

it('a console equals a fresh reading after cuts under writes', async () => {
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const random = seededRandom();
  const workspace = await startStirredWorkspace(majlis);
  const mirrors = await Promise.all([workspace.owner, ...workspace.agents].map((person) => mirrorLive(majlis, person)));
  const writes = stirWorkspace(random, workspace);
  for (let cuts = 0; cuts < 4; cuts++) {
    await pause(random.next() * 500);
    for (const mirror of mirrors) mirror.cut();
    await pause(random.next() * 700);
    await Promise.all(mirrors.map((mirror) => mirror.resume()));
  }
  await writes.stop(20);
  for (const mirror of mirrors) assert.deepEqual(await mirror.differences(), [], `seed ${random.seed}`);
  for (const mirror of mirrors) mirror.cut();
});
