import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { within } from '@majlis/testing/cleanup';
import { assertReconciled } from '@majlis/testing/faults/assert-reconciled';
import type { FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { type FaultWorkspace, startFaultService } from '@majlis/testing/faults/fault-workspace';
import { createInterposedEnvironment, type InterposedPlatform } from '@majlis/testing/faults/interposed-platform';
import { type Acknowledged, attemptSend } from '@majlis/testing/faults/keep-sending';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { silentNumber } from '@majlis/testing/faults/silent-number';
import { untilSettled } from '@majlis/testing/faults/until-settled';
import { repeatUntil } from '@majlis/testing/repeat-until';
import type { SeededRandom } from '@majlis/testing/seeded-random';

const rounds = Number(process.env.FAULT_ROUNDS ?? 15);
const perRound = 12;

it('a process that dies between the acceptance of the platform and its record sends nothing twice', async (t) => {
  const environment = await createInterposedEnvironment();
  t.diagnostic(`seed ${environment.random.seed}`);
  const { majlis, workspace } = await startFaultService(environment);
  const acknowledged: Acknowledged[] = [];

  for (let round = 0; round < rounds; round++) {
    const died = dieOnAcceptance(environment.platform, majlis, environment.random.between(0, perRound - 1));
    acknowledged.push(...(await sendRound(environment, majlis, workspace)));
    await within(died, 60_000, 'the death at an acceptance');
    if (!majlis.isRunning()) await majlis.start();
  }
  await untilSettled(environment, majlis.url);

  const counts = await assertReconciled(environment, { acknowledged, written: workspace.inbound });
  t.diagnostic(JSON.stringify({ kills: rounds, ...counts }));
  assert.equal(counts.accepted, rounds * perRound);
});

/** Some answers still get through; the next one is held back, and the process dies waiting for it. */
function dieOnAcceptance(platform: InterposedPlatform, majlis: RestartableService, through: number): Promise<void> {
  let left = through;
  return new Promise((resolve) => {
    platform.onAccepted = async () => {
      if (left-- > 0) return;
      platform.onAccepted = undefined;
      await majlis.kill();
      resolve();
    };
  });
}

async function sendRound(
  { random }: FaultEnvironment,
  majlis: RestartableService,
  { key, customers }: FaultWorkspace,
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  for (let n = 0; n < perRound; n++) {
    const one = { request: newRequest(customers, random), idempotency_key: randomUUID() };
    let id: string | undefined;
    const attempt = async () => {
      id = (await attemptSend(majlis.url, key, one)).id;
      if (!majlis.isRunning()) await majlis.start();
    };
    await repeatUntil(() => id, attempt, 120_000);
    acknowledged.push({ id: id!, ...one });
  }
  return acknowledged;
}

function newRequest(customers: readonly string[], random: SeededRandom): Acknowledged['request'] {
  if (random.next() < 0.9) return { to: `+${random.pick(customers)}`, kind: 'text', body: randomUUID() };
  return { to: silentNumber, kind: 'template', template: { name: 'order_ready', language: 'en' } };
}
