import { findAccountAccess } from '../../channels/queries.ts';
import { publicId } from '../../database/ids.ts';
import { transaction } from '../../database/transaction.ts';
import { backoffMs } from '../../jobs/backoff.ts';
import { holdLease } from '../../jobs/hold-lease.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import { finish } from '../../jobs/queries.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { NewTemplate, TemplateFailure } from '../../platform/template.ts';
import type { Resources } from '../../process/resources.ts';
import { readSubmissionRef, readTemplateRef, type SubmissionRef, submitTemplate } from '../jobs.ts';
import { findStoredTemplate, listSubmissions } from '../queries.ts';
import { hourBefore, nextSubmission } from '../rules.ts';
import { recordSubmission, type Submission } from './record-submission.ts';
import { createUploadSample } from './upload-header-sample.ts';
import { waitForPlatform } from './wait-for-platform.ts';

// A refusal with an unknown code becomes final after this many attempts.
const doubtfulTries = 3;

/**
 * Submits a new template to the platform's review. A call with an unknown outcome is repeated: the platform keeps one template
 * of a name and language, and answers a second submission with `exists`.
 */
export function submitTemplateHandler(resources: Resources, platform: PlatformClient): JobHandler {
  const { pool, clock, log, config, secretBox } = resources;
  const provide = createUploadSample(resources, platform);

  /** Undefined where the template is deleted, or is at the platform already. */
  async function submit(
    job: Job,
  ): Promise<Submission | TemplateFailure | { type: 'rate_limited'; until: Date } | undefined> {
    const template = await findStoredTemplate(pool, readTemplateRef(job.payload));
    if (!template || template.platform_template_id !== null) return undefined;
    const access = await findAccountAccess(pool, template);
    if (!access) return { type: 'away', reason: 'no channel is of the account' };
    const now = clock.now();
    const until = nextSubmission(await listSubmissions(pool, template, hourBefore(now)), now);
    if (until > now) return { type: 'rate_limited', until };
    const access_token = secretBox.open(access.access_token, 'channels.access_token');
    const account = { waba_id: access.waba_id, access_token };
    const provided = await holdLease(pool, job, config.leaseSeconds, () => provide(account, template));
    if (provided.type !== 'ready') return provided;
    const { name, language, category } = template;
    const components = provided.components as NewTemplate['components'];
    return platform.createTemplate(account, { name, language, category, components });
  }

  async function run(job: Job): Promise<JobOutcome> {
    const { doubtful_refusals = 0, ...ref } = readSubmissionRef(job.payload);
    const creation = await submit(job);
    if (!creation) return { type: 'done' };
    if (creation.type !== 'created') {
      log.info({ template_id: publicId('template', ref.template_id), creation }, 'a template was not created');
    }
    if (creation.type === 'away') return waitForPlatform(pool, job, new Date(clock.nowMs() + backoffMs(job.failures)));
    if (creation.type === 'rate_limited') return waitForPlatform(pool, job, creation.until);
    if (creation.type === 'refused' && creation.doubtful && doubtful_refusals + 1 < doubtfulTries) {
      const run_at = new Date(clock.nowMs() + backoffMs(doubtful_refusals));
      const tried: SubmissionRef = { ...ref, doubtful_refusals: doubtful_refusals + 1 };
      return { type: 'retry', run_at, payload: JSON.stringify(tried) };
    }
    await transaction(pool, async (tx) => {
      await recordSubmission(tx, clock, ref, job.group_id, creation);
      await finish(tx, [job]);
    });
    return { type: 'finished' };
  }

  return { kind: submitTemplate, concurrency: 64, group_concurrency: 1, run };
}
