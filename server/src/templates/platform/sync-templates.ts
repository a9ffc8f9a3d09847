import { repeatWithPlatform } from '../../channels/repeat-with-platform.ts';
import { newId } from '../../database/ids.ts';
import { type Transaction, transaction } from '../../database/transaction.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { retry } from '../../jobs/queries.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { PlatformTemplate } from '../../platform/template.ts';
import type { Resources } from '../../process/resources.ts';
import { syncTemplates } from '../jobs.ts';
import { type AccountRef, deleteTemplates, insertTemplates, listDeleted, lockTemplates, purgeOld } from '../queries.ts';
import { recordChanges } from '../record-changes.ts';
import { nameBlockMs } from '../rules.ts';
import { compareListing } from './compare-listing.ts';

const syncEveryMs = 600_000;

/**
 * Synchronises the templates of a channel's account with the platform. It finds the changes that webhooks do not report:
 * templates created, changed or deleted elsewhere.
 */
export function syncTemplatesHandler(resources: Resources, platform: PlatformClient): JobHandler {
  const { pool, clock } = resources;
  return repeatWithPlatform(resources, {
    kind: syncTemplates,
    warning: 'the platform did not list the templates',
    async perform(job, { workspace_id, waba_id, access_token }) {
      const listed_at = clock.now();
      const listed = await platform.listTemplates({ waba_id, access_token });
      await transaction(pool, async (tx) => {
        await applyListing(tx, resources, { workspace_id, waba_id }, listed, listed_at);
        // Counted from the listing: if the clock moved meanwhile, the next run is due at once.
        await retry(tx, [{ job, run_at: new Date(listed_at.getTime() + syncEveryMs), failed: false }]);
      });
    },
  });
}

/** Stores the changes of a complete list, with events for new statuses. */
async function applyListing(
  tx: Transaction,
  { clock }: Resources,
  account: AccountRef,
  listed: readonly PlatformTemplate[],
  listed_at: Date,
): Promise<void> {
  const stored = await lockTemplates(tx, [account]);
  const now = clock.now();
  await purgeOld(tx, account, new Date(now.getTime() - nameBlockMs));
  const deleted = await listDeleted(tx, account);
  const changes = compareListing(stored, listed, { listed_at, deleted, now });
  await insertTemplates(
    tx,
    changes.added.map((template) => ({ ...account, id: newId(clock), ...template })),
  );
  await recordChanges(tx, clock, changes.changed);
  await deleteTemplates(
    tx,
    // Without the platform's id, so a template missing by mistake returns with the next list.
    changes.gone.map((template) => ({ ...template, platform_template_id: null, deleted_at: now, removed_at: now })),
  );
}
