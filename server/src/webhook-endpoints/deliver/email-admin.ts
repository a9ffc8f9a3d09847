import { publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Mailer } from '../../email/create-mailer.ts';
import type { Email } from '../../email/email.ts';
import { emailOnce } from '../../email/email-once.ts';
import { oneLine } from '../../email/one-line.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import type { Resources } from '../../process/resources.ts';
import { type AdminEmail, emailAdmin, readAdminEmail } from '../jobs.ts';

// After three days the e-mail is of no use any more.
const maxAgeMs = 3 * 86_400_000;

/** Sends one admin an e-mail about a disabled endpoint, at most once. */
export function emailAdminHandler(resources: Resources, mailer: Mailer): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const mail = readAdminEmail(job.payload);
    const [admin] = await selectAdmin(resources.pool, [mail.workspace_id, mail.user_id]);
    if (!admin) return { type: 'done' };
    return emailOnce(resources, mailer, job, {
      email: compose(mail, admin),
      what: 'an e-mail about a disabled webhook endpoint',
      about: { endpoint_id: publicId('webhook_endpoint', mail.endpoint_id), user_id: publicId('user', mail.user_id) },
      late_at: new Date(Date.parse(mail.disabled_at) + maxAgeMs),
    });
  }

  return { kind: emailAdmin, concurrency: 8, group_concurrency: 4, run };
}

interface Admin {
  email: string;
  workspace_name: string;
}

// Somebody who was removed or is no admin any more meanwhile is told nothing.
const selectAdmin = statement<Admin>(`
  select u.email, w.name as workspace_name from users u join workspaces w on w.id = u.workspace_id
  where u.workspace_id = $1 and u.id = $2 and u.role in ('admin', 'owner') and u.removed_at is null`);

function compose({ endpoint_id, user_id, url, failing_since, disabled_at }: AdminEmail, admin: Admin): Email {
  const endpoint = publicId('webhook_endpoint', endpoint_id);
  return {
    to: admin.email,
    key: `${endpoint}.${publicId('user', user_id)}.${Date.parse(disabled_at)}`,
    // Without the workspace's name and address: a subject is one line, and without a mail server it is logged.
    subject: `Webhook endpoint ${endpoint} was disabled`,
    text: [
      `Every delivery to a webhook endpoint of ${oneLine(admin.workspace_name)} has failed since ${failing_since}.`,
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
