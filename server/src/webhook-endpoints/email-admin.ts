import { publicId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import type { Mailer } from '../email/create-mailer.ts';
import type { Email } from '../email/email.ts';
import { backoffMs } from '../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { start } from '../jobs/queries.ts';
import type { Resources } from '../resources.ts';
import { type AdminEmail, emailAdmin, readAdminEmail } from './jobs.ts';

// Who has not been reached for three days will not be helped by it any more.
const patienceMs = 3 * 86_400_000;

/**
 * Tells one admin by e-mail that an endpoint was disabled, at most once: the job passes its point of no return when the
 * mail server is ready for the text. What broke off earlier is tried again; what broke off later may have arrived.
 */
export function emailAdminHandler({ pool, clock, log }: Resources, mailer: Mailer): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const what = readAdminEmail(job.payload);
    const about = {
      endpoint_id: publicId('whe', what.endpoint_id),
      user_id: publicId('usr', what.user_id),
    };
    if (job.started_at) {
      log.warn(about, 'an e-mail about a disabled webhook endpoint was cut off, and may have arrived');
      return { type: 'done' };
    }
    const [admin] = await selectAdmin(pool, [what.workspace_id, what.user_id]);
    if (!admin) return { type: 'done' };
    const outcome = await mailer.send(compose(what, admin), async () => {
      return (await start(pool, [job], clock.now())).size > 0;
    });
    if (outcome.type === 'sent' || outcome.type === 'lost') return { type: 'done' };
    log.warn({ ...about, outcome }, 'an e-mail about a disabled webhook endpoint was not delivered');
    const isLate = clock.nowMs() - Date.parse(what.disabled_at) > patienceMs;
    if (outcome.type !== 'try_again' || isLate) return { type: 'done' };
    return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
  }

  return { kind: emailAdmin, concurrency: 8, group_concurrency: 4, run };
}

interface Admin {
  email: string;
  workspace_name: string;
}

const selectAdmin = statement<Admin>(`
  select u.email, w.name as workspace_name from users u join workspaces w on w.id = u.workspace_id
  where u.workspace_id = $1 and u.id = $2`);

function compose({ endpoint_id, user_id, url, failing_since, disabled_at }: AdminEmail, admin: Admin): Email {
  const endpoint = publicId('whe', endpoint_id);
  return {
    to: admin.email,
    key: `${endpoint}.${publicId('usr', user_id)}.${Date.parse(disabled_at)}`,
    // Without the workspace's name and the address: a subject is one line, and the log keeps it where no mail server is set.
    subject: `Webhook endpoint ${endpoint} was disabled`,
    text: [
      `Every delivery to a webhook endpoint of ${admin.workspace_name} has failed since ${failing_since}.`,
      'After three days it was disabled, and nothing more is posted to it:',
      '',
      `  ${endpoint}`,
      `  ${url}`,
      '',
      'Its events are kept for 30 days. Enable it again when its receiver answers; new events are then posted to it, and the',
      'operator can replay those that it missed (majlis replay).',
      '',
    ].join('\n'),
  };
}
