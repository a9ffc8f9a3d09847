import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@majlis/testing/eventually';
import { assertReconciled } from '@majlis/testing/faults/assert-reconciled';
import type { FaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { startFaultService } from '@majlis/testing/faults/fault-workspace';
import { createInterposedEnvironment } from '@majlis/testing/faults/interposed-platform';
import { type Acknowledged, attemptSend } from '@majlis/testing/faults/keep-sending';
import { silentNumber } from '@majlis/testing/faults/silent-number';
import { openJobs, untilSettled } from '@majlis/testing/faults/until-settled';
import { callOperator } from '@majlis/testing/operator';
import type { ProofRun } from './section.ts';

const env = {
  PLATFORM_TIMEOUT_SECONDS: '1',
  LEASE_SECONDS: '6',
};
const sendsAtOnce = 40;
const longestPauseSeconds = 61;
const fates = ['timeout', 'bad gateway', 'reset'] as const;

/**
 * The platform takes every send, and the service never hears of it: a timeout, a 502 or a reset. Nothing is sent twice;
 * each message is adopted by the statuses that echo it, or fails with that reason where none comes.
 */
export async function proveUnknownOutcomes({ seed, count, log }: ProofRun): Promise<string[]> {
  const environment = await createInterposedEnvironment({ seed });
  const { majlis, workspace } = await startFaultService(environment, env);
  const met: Record<string, number> = {};
  environment.platform.onAccepted = async () => {
    // Answers in between, or the channel would be in trouble all the time and have one call at once.
    const fate = environment.random.next() < 0.3 ? 'answer' : environment.random.pick(fates);
    met[fate] = (met[fate] ?? 0) + 1;
    if (fate === 'timeout') await pause(2_500);
    return fate;
  };
  const lost = () => fates.reduce((sum, fate) => sum + (met[fate] ?? 0), 0);
  const acknowledged: Acknowledged[] = [];
  while (lost() < count) {
    // Seven of ten calls are lost. A service that does not call would never come to the count.
    if (acknowledged.length > 10 * (count + sendsAtOnce))
      return [`${acknowledged.length} sends were acknowledged, and the platform was called ${JSON.stringify(met)}`];
    for (let n = 0; n < sendsAtOnce; n++) {
      const request = newRequest(
        environment.random.next() < 0.9 ? environment.random.pick(workspace.customers) : undefined,
      );
      const idempotency_key = randomUUID();
      const { id, status } = await attemptSend(majlis.url, workspace.key, { request, idempotency_key });
      if (!id) return [`a send was answered ${status}`];
      acknowledged.push({ id, request, idempotency_key });
    }
    await dispatched(environment, majlis.url);
  }
  await untilSettled(environment, majlis.url);
  const counts = await assertReconciled(environment, { acknowledged, written: workspace.inbound });
  log(`${lost()} of ${acknowledged.length} calls had no answer that told: ${JSON.stringify(met)}`);
  log(JSON.stringify(counts));
  return [];
}

/** Waits until all were called for, and moves the clock over the pauses that a platform in trouble is given. */
async function dispatched(environment: FaultEnvironment, url: string): Promise<void> {
  const waiting = async () => {
    const jobs = await openJobs(environment);
    const isCalling = await environment.sql(
      `select from jobs where kind = 'messages.deliver_message' and started_at is not null`,
    );
    const isQuiet = isCalling.length === 0 && environment.simulator.pending() === 0 && !jobs['inbound.process_webhook'];
    if (jobs['messages.deliver_message'] && isQuiet) {
      environment.simulator.advance(longestPauseSeconds * 1000);
      await callOperator(url, 'POST', '/clock', { advance_seconds: longestPauseSeconds });
    }
    return jobs['messages.deliver_message'] ?? 0;
  };
  await eventually(waiting, (count) => count === 0, 180_000);
}

function newRequest(digits: string | undefined): Acknowledged['request'] {
  if (digits) return { to: `+${digits}`, kind: 'text', body: randomUUID() };
  return { to: silentNumber, kind: 'template', template: { name: 'order_ready', language: 'en' } };
}
