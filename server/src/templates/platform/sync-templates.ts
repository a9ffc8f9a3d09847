import { readChannelRef } from '../../channels/jobs.ts';
import { findAccess } from '../../channels/queries.ts';
import { newId, publicId } from '../../database/ids.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import { backoffMs } from '../../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { retry } from '../../jobs/queries.ts';
import { supersede } from '../../jobs/supersede.ts';
import type { PlatformClient } from '../../platform/client.ts';
import { PlatformRefusal } from '../../platform/refusal.ts';
import type { PlatformTemplate } from '../../platform/types.ts';
import type { Resources } from '../../process/resources.ts';
import { syncTemplates } from '../jobs.ts';
import { type Account, forgetDeleted, insert, listDeleted, lockAll, remove } from '../queries.ts';
import { recordChanges } from '../record-changes.ts';
import { nameBlockMs } from '../rules.ts';
import { compareListing } from './compare-listing.ts';

const syncEveryMs = 600_000;

/**
 * Keeps the templates of a channel's account as the platform has them. Webhooks tell of most changes sooner; this finds
 * what they did not tell: templates made, changed or deleted elsewhere.
 */
export function syncTemplatesHandler(resources: Resources, platform: PlatformClient): JobHandler {
  const { pool, clock, log, secretBox } = resources;

  async function run(job: Job): Promise<JobOutcome> {
    const ref = readChannelRef(job.payload);
    if (!(await supersede(pool, job))) return { type: 'done' };
    const channel = await findAccess(pool, ref);
    if (!channel) return { type: 'done' };
    const { waba_id } = channel;
    const access_token = secretBox.open(channel.access_token, 'channels.access_token');
    const listed_at = clock.now();
    const listed = await platform.listTemplates({ waba_id, access_token });
    await transaction(pool, async (tx) => {
      await applyListing(tx, resources, { workspace_id: ref.workspace_id, waba_id }, listed, listed_at);
      // From then on: what the clock made due meanwhile is done at once.
      await retry(tx, [{ job, run_at: new Date(listed_at.getTime() + syncEveryMs), failed: false }]);
    });
    return { type: 'finished' };
  }

  async function runOrWait(job: Job): Promise<JobOutcome> {
    try {
      return await run(job);
    } catch (error) {
      if (!(error instanceof PlatformRefusal)) throw error;
      const channel_id = publicId('channel', job.group_id);
      log.warn({ channel_id, reason: error.message }, 'the platform did not list the templates');
      return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
    }
  }

  return { kind: syncTemplates, concurrency: 64, group_concurrency: 1, run: runOrWait };
}

/** Stores what a complete list changes, with the events of the changed statuses. */
async function applyListing(
  tx: Transaction,
  { clock }: Resources,
  account: Account,
  listed: readonly PlatformTemplate[],
  listed_at: Date,
): Promise<void> {
  const stored = await lockAll(tx, [account]);
  const now = clock.now();
  await forgetDeleted(tx, account, new Date(now.getTime() - nameBlockMs));
  const deleted = await listDeleted(tx, account);
  const changes = compareListing(stored, listed, { listed_at, deleted, now });
  await insert(
    tx,
    changes.added.map((template) => ({ ...account, id: newId(clock), ...template })),
  );
  await recordChanges(tx, clock, changes.changed);
  await remove(
    tx,
    // Without the platform's id: one that the list left out by mistake comes back with the next.
    changes.gone.map((template) => ({ ...template, platform_template_id: null, deleted_at: now, removed_at: now })),
  );
}
