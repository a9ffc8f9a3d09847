import type { Transaction } from '../../database/transaction.ts';
import { type FanOut, fanOutEvents, readFanOut } from '../../events/delivery-job.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { runSteps } from '../../jobs/run-steps.ts';
import type { Resources } from '../../process/resources.ts';
import { deliverEventJob } from '../jobs.ts';
import { insertFirst } from '../queries.ts';

// A step takes some 100 ms, and a run some 2 s.
const deliveriesOfStep = 1_000;
const steps_at_once = 20;

/**
 * Writes the deliveries of events to many endpoints, in steps. The receivers were decided with the events. An event that was erased
 * since is left out, and a delivery that a replay has begun stays as it is.
 */
export function fanOutEventsHandler({ pool, clock, config }: Resources): JobHandler {
  async function writeStep(tx: Transaction, fanOut: FanOut, step: number): Promise<void> {
    const inserted = await insertFirst(tx, fanOut.workspace_id, deliveriesOf(fanOut, step));
    const due = inserted.filter(({ attempt }) => attempt === 1);
    await enqueueJobs(
      tx,
      due.map((ref) => deliverEventJob(ref, clock.now())),
    );
  }

  return {
    kind: fanOutEvents,
    concurrency: 4,
    // A workspace writes its deliveries with one connection, and the claims serve the workspaces in turn.
    group_concurrency: 1,
    run(job) {
      const fanOut = readFanOut(job.payload);
      return runSteps(pool, job, {
        count: Math.ceil((fanOut.event_ids.length * fanOut.receivers.length) / deliveriesOfStep),
        at_once: steps_at_once,
        lease_seconds: config.leaseSeconds,
        perform: (tx, step) => writeStep(tx, fanOut, step),
      });
    },
  };
}

/** The deliveries of a step: event by event, each to all receivers. */
function deliveriesOf({ event_ids, receivers }: FanOut, step: number) {
  const from = step * deliveriesOfStep;
  const count = Math.min(deliveriesOfStep, event_ids.length * receivers.length - from);
  return Array.from({ length: count }, (_, n) => ({
    event_id: event_ids[Math.floor((from + n) / receivers.length)]!,
    ...receivers[(from + n) % receivers.length]!,
  }));
}
