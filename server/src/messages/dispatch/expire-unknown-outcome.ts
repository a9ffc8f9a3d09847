import { statement } from '../../database/query.ts';
import { separateTransaction } from '../../database/transaction.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import { sharePlacesOfHandler } from '../../jobs/share-places-of-handler.ts';
import type { Resources } from '../../process/resources.ts';
import { expireUnknownOutcome, readMessageRef } from '../jobs.ts';
import { advanceStatuses } from '../receive/advance-statuses.ts';

// Locked, so that a concurrent status either is seen here or lifts the failure.
const lockUnknown = statement(`
  select from messages where workspace_id = $1 and id = $2 and outcome_unknown and status = 'queued'
  for no key update`);

const error =
  'The outcome is unknown: the platform did not answer and reported nothing since. The message was not sent again, ' +
  'because the customer could have received it twice.';

/** Fails a message for which the platform reported no status within the reconcile window. */
export function expireUnknownOutcomeHandler({ pool, clock }: Resources): JobHandler {
  return sharePlacesOfHandler(pool, {
    kind: expireUnknownOutcome,
    concurrency: 32,
    group_concurrency: 8,
    async run(job) {
      const { workspace_id, message_id } = readMessageRef(job.payload);
      await separateTransaction(pool, workspace_id, async (tx) => {
        const [unknown] = await lockUnknown(tx, [workspace_id, message_id]);
        const report = { workspace_id, channel_id: job.group_id, message_id, status: 'failed' as const, error };
        if (unknown) await advanceStatuses(tx, clock, [{ ...report, outcome_unknown: true }]);
        await finish(tx, [job]);
      });
      return { type: 'finished' };
    },
  });
}
