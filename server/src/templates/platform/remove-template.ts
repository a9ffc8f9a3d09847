import { findAccountAccess } from '../../channels/queries.ts';
import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { transaction } from '../../database/transaction.ts';
import { backoffMs } from '../../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import type { AccountAccess } from '../../platform/access.ts';
import type { PlatformClient } from '../../platform/client.ts';
import { PlatformRefusal } from '../../platform/refusal.ts';
import type { TemplateFailure } from '../../platform/template.ts';
import type { Resources } from '../../process/resources.ts';
import { readTemplateRef, removeTemplate, submitTemplate } from '../jobs.ts';
import { type DeletedTemplate, findDeleted, setRemoved } from '../queries.ts';
import { isNameBlocked } from '../rules.ts';
import { waitForPlatform } from './wait-for-platform.ts';

// The platform refuses to delete a disabled template. The call repeats at this interval while the name is blocked.
const refusedAgainMs = 3_600_000;

type Removal = { type: 'removed'; platform_template_id: string | null } | TemplateFailure;

/**
 * Removes a deleted template at the platform, after its submission and after all messages accepted before the deletion.
 * `sends`: the kinds of jobs that send messages.
 */
export function removeTemplateHandler(
  resources: Resources,
  platform: PlatformClient,
  sends: readonly string[],
): JobHandler {
  const { pool, clock, log, secretBox } = resources;

  async function removeAt(account: AccountAccess, deleted: DeletedTemplate): Promise<Removal> {
    const platform_template_id = deleted.platform_template_id ?? (await findListed(account, deleted));
    if (!platform_template_id) return { type: 'removed', platform_template_id: null };
    const outcome = await platform.deleteTemplate(account, { platform_template_id, name: deleted.name });
    if (outcome.type === 'deleted') return { type: 'removed', platform_template_id };
    // For a template that it does not have, the platform answers an unspecific refusal.
    if (outcome.type !== 'refused' || (await findListed(account, deleted))) return outcome;
    return { type: 'removed', platform_template_id };
  }

  /** The platform's id of the template; undefined where the platform does not list it. */
  async function findListed(account: AccountAccess, { name, language }: DeletedTemplate): Promise<string | undefined> {
    const listed = await platform.listTemplates(account, name);
    return listed.find((one) => one.name === name && one.language === language && one.status !== 'deleted')
      ?.platform_template_id;
  }

  async function remove(deleted: DeletedTemplate): Promise<Removal> {
    const access = await findAccountAccess(pool, deleted);
    if (!access) return { type: 'away', reason: 'no channel is of the account' };
    const access_token = secretBox.open(access.access_token, 'channels.access_token');
    try {
      return await removeAt({ waba_id: deleted.waba_id, access_token }, deleted);
    } catch (error) {
      if (!(error instanceof PlatformRefusal)) throw error;
      return { type: 'away', reason: error.message };
    }
  }

  async function run(job: Job): Promise<JobOutcome> {
    const ref = readTemplateRef(job.payload);
    const deleted = await findDeleted(pool, ref);
    if (!deleted || deleted.removed_at) return { type: 'done' };
    const { workspace_id, id, waba_id } = deleted;
    const [{ is_awaited } = { is_awaited: false }] = await selectAwaited(pool, [
      ...[submitTemplate, id],
      ...[sends, job.id, workspace_id, waba_id],
    ]);
    if (is_awaited) return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };

    const removal = await remove(deleted);
    if (removal.type === 'removed') {
      await transaction(pool, async (tx) => {
        await setRemoved(tx, ref, clock.now(), removal.platform_template_id);
        await finish(tx, [job]);
      });
      return { type: 'finished' };
    }
    log.warn({ template_id: publicId('template', id), removal }, 'a template was not removed at the platform');
    if (removal.type === 'away') return waitForPlatform(pool, job, new Date(clock.nowMs() + backoffMs(job.failures)));
    if (!isNameBlocked(deleted.deleted_at, clock.now())) return { type: 'done' };
    return { type: 'retry', run_at: new Date(clock.nowMs() + refusedAgainMs) };
  }

  return { kind: removeTemplate, concurrency: 64, group_concurrency: 1, run };
}

const selectAwaited = statement<{ is_awaited: boolean }>(`
  select exists (select from jobs where kind = $1 and queue_key = $2)
    or exists (
      select from channels c join jobs j on j.kind = any ($3) and j.group_id = c.id and j.id < $4
      where c.workspace_id = $5 and c.waba_id = $6
    ) as is_awaited`);
