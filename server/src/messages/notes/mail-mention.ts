import { publicId } from '../../database/ids.ts';
import type { Mailer } from '../../email/create-mailer.ts';
import { emailOnce } from '../../email/email-once.ts';
import { oneLine } from '../../email/one-line.ts';
import type { Job, JobHandler, JobOutcome } from '../../jobs/job.ts';
import type { Resources } from '../../process/resources.ts';
import { mailMention, readMention } from '../jobs.ts';
import { findMention, type MentionDetails } from './mentions.ts';

// After a day the e-mail is of no use; the note stays in the conversation.
const latestMs = 86_400_000;

/** Notifies a teammate by e-mail that a note names them, at most once. */
export function mailMentionHandler(resources: Resources, mailer: Mailer): JobHandler {
  async function run(job: Job): Promise<JobOutcome> {
    const mention = readMention(job.payload);
    const details = await findMention(resources.pool, mention);
    if (!details) return { type: 'done' };
    return emailOnce(resources, mailer, job, {
      email: compose(details, mention),
      what: 'an e-mail about a mention',
      about: { message_id: publicId('message', mention.message_id), user_id: publicId('user', mention.user_id) },
      late_at: new Date(details.created_at.getTime() + latestMs),
    });
  }

  return { kind: mailMention, concurrency: 8, group_concurrency: 4, run };
}

function compose(details: MentionDetails, { message_id, user_id }: { message_id: string; user_id: string }) {
  const { email, author, contact_name, workspace_name, body, conversation_id } = details;
  const who = oneLine(author ?? 'A teammate');
  const conversation = `conversation ${publicId('conversation', conversation_id)}`;
  const contact = contact_name ? ` with ${oneLine(contact_name)}` : '';
  return {
    to: email,
    // One id for each mention, so that mail servers can detect repeats.
    key: `${publicId('message', message_id)}.${publicId('user', user_id)}`,
    // Without the contact's name: where no mail server is set, the subject goes to the log.
    subject: `${who} mentioned you in a conversation`,
    text: `${body}\n\n— ${who}, ${oneLine(workspace_name)}, ${conversation}${contact}\n`,
  };
}
