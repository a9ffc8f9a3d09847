import { separateTransaction } from '../database/transaction.ts';
import type { JobHandler, NewJob } from '../jobs/job.ts';
import { finish } from '../jobs/queries.ts';
import { sharePlacesOfHandler } from '../jobs/share-places-of-handler.ts';
import { retryDelaysSeconds } from '../messages/jobs.ts';
import { advanceStatuses, type StatusReport } from '../messages/receive/advance-statuses.ts';
import type { Resources } from '../process/resources.ts';
import { retryStatus } from './jobs.ts';

interface EarlyStatus {
  report: StatusReport;
  /** How often its message was looked for. */
  tries: number;
}

export function retryStatusJob(report: StatusReport, now: Date): NewJob {
  const run_at = new Date(now.getTime() + retryDelaysSeconds[0]! * 1000);
  return { kind: retryStatus, group_id: report.channel_id, payload: write({ report, tries: 0 }), run_at };
}

function write(early: EarlyStatus): string {
  return JSON.stringify(early);
}

/** Tries again to find the message of a status. */
export function retryStatusHandler({ pool, clock, log }: Resources): JobHandler {
  return sharePlacesOfHandler(pool, {
    kind: retryStatus,
    concurrency: 32,
    group_concurrency: 8,
    async run(job) {
      const { report, tries } = JSON.parse(job.payload) as EarlyStatus;
      const unmatched = await separateTransaction(pool, job.group_id, async (tx) => {
        const left = await advanceStatuses(tx, clock, [report]);
        if (left.length === 0) await finish(tx, [job]);
        return left;
      });
      if (unmatched.length === 0) return { type: 'finished' };
      const delay = retryDelaysSeconds[tries + 1];
      if (delay !== undefined) {
        const run_at = new Date(clock.nowMs() + delay * 1000);
        return { type: 'retry', run_at, payload: write({ report, tries: tries + 1 }) };
      }
      log.debug({ platform_message_id: report.platform_message_id }, 'a status of an unknown message was left aside');
      return { type: 'done' };
    },
  });
}
