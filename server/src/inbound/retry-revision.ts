import { separateTransaction } from '../database/transaction.ts';
import type { JobHandler, NewJob } from '../jobs/job.ts';
import { finish } from '../jobs/queries.ts';
import { sharePlacesOfHandler } from '../jobs/share-places-of-handler.ts';
import { retryDelaysSeconds } from '../messages/jobs.ts';
import { keepLateEdit, type Revision, reviseMessages } from '../messages/receive/revise-messages.ts';
import type { Resources } from '../process/resources.ts';
import { retryRevision } from './jobs.ts';

interface EarlyRevision {
  revision: Revision;
  /** How often its message was looked for. */
  tries: number;
}

export function retryRevisionJob(revision: Revision, now: Date): NewJob {
  const run_at = new Date(now.getTime() + retryDelaysSeconds[0]! * 1000);
  return { kind: retryRevision, group_id: revision.channel_id, payload: write({ revision, tries: 0 }), run_at };
}

function write(early: EarlyRevision): string {
  return JSON.stringify(early);
}

/** Tries again to find the message that was edited or deleted. In the end the text of an edit is kept on its own. */
export function retryRevisionHandler({ pool, clock }: Resources): JobHandler {
  return sharePlacesOfHandler(pool, {
    kind: retryRevision,
    concurrency: 16,
    group_concurrency: 4,
    async run(job) {
      const { revision, tries } = JSON.parse(job.payload) as EarlyRevision;
      const delay = retryDelaysSeconds[tries + 1];
      const isDone = await separateTransaction(pool, job.group_id, async (tx) => {
        const unknown = await reviseMessages(tx, clock, [revision]);
        if (unknown.length > 0 && delay !== undefined) return false;
        // An erasure took the job, and the text with it.
        if ((await finish(tx, [job])) === 0) return true;
        for (const late of unknown) await keepLateEdit(tx, clock, late);
        return true;
      });
      if (isDone) return { type: 'finished' };
      const run_at = new Date(clock.nowMs() + delay! * 1000);
      return { type: 'retry', run_at, payload: write({ revision, tries: tries + 1 }) };
    },
  });
}
