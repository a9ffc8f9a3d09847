import { publicId } from '../database/ids.ts';
import type { Mailer } from '../email/create-mailer.ts';
import { backoffMs } from '../jobs/backoff.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import { start } from '../jobs/queries.ts';
import type { Resources } from '../resources.ts';
import { mailMention, readMention } from './jobs.ts';
import { findMention, type MentionDetails } from './mentions.ts';

// Who has not been reached for a day will not be helped by it any more: the note stands in the conversation.
const patienceMs = 86_400_000;

/**
 * Tells one teammate by e-mail that a note names them, at most once: the job passes its point of no return when the mail
 * server is ready for the text and before it gets any of it. What broke off earlier is tried again; what broke off later
 * may have arrived, and is not.
 */
export function mailMentionHandler({ pool, clock, log }: Resources, mailer: Mailer): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const mention = readMention(job.payload);
    const details = await findMention(pool, mention);
    if (!details) return { type: 'done' };
    const about = { message_id: publicId('msg', mention.message_id), user_id: publicId('usr', mention.user_id) };
    if (job.started_at) {
      log.warn(about, 'an e-mail about a mention was cut off, and may have arrived');
      return { type: 'done' };
    }
    const outcome = await mailer.send(compose(details, mention), async () => {
      return (await start(pool, [job], clock.now())).size > 0;
    });
    if (outcome.type === 'sent' || outcome.type === 'lost') return { type: 'done' };
    log.warn({ ...about, outcome }, 'an e-mail about a mention was not delivered');
    const isLate = clock.nowMs() - details.created_at.getTime() > patienceMs;
    if (outcome.type !== 'try_again' || isLate) return { type: 'done' };
    return { type: 'retry', run_at: new Date(clock.nowMs() + backoffMs(job.failures)) };
  }

  return { kind: mailMention, concurrency: 8, group_concurrency: 4, run };
}

function compose(details: MentionDetails, { message_id, user_id }: { message_id: string; user_id: string }) {
  const { email, author, contact_name, workspace_name, body, conversation_id } = details;
  const who = author ?? 'A teammate';
  return {
    to: email,
    // One mention, one id: whatever still repeats it on the way can be told by it.
    key: `${publicId('msg', message_id)}.${publicId('usr', user_id)}`,
    // Without the contact's name: where no mail server is set, the subject is what the log keeps.
    subject: `${who} mentioned you in a conversation`,
    text: `${body}\n\n— ${who}, ${workspace_name}, conversation ${publicId('cv', conversation_id)}${contact_name ? ` with ${contact_name}` : ''}\n`,
  };
}
