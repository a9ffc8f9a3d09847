import { Readable } from 'node:stream';
import { describeFailure } from './describe-failure.ts';
import type { Email, EmailOutcome } from './email.ts';
import { type MailConnection, openConnection } from './open-connection.ts';

// This is well below any lease: a send times out before another worker can claim its job.
const sendTimeoutMs = 10_000;

/** Sends one e-mail over a connection of its own, since e-mails are few. Never rejects. */
export async function deliverEmail(
  { smtp_url, from }: { smtp_url: string; from: string },
  email: Email,
  begin: () => Promise<boolean>,
): Promise<EmailOutcome> {
  const progress: Progress = { begun: false, lost: false };
  let connection: MailConnection | undefined;
  try {
    const mime = await composeMime(from, email);
    connection = await openConnection(smtp_url, sendTimeoutMs);
    await connection.send({ from: addressOf(from), to: email.to }, contentsOf(mime, begin, progress));
    return { type: 'sent' };
  } catch (error) {
    return progress.lost ? { type: 'lost' } : describeFailure(error, { begun: progress.begun, text: email.text });
  } finally {
    connection?.close();
  }
}

interface Progress {
  /** The text is on its way to the server. */
  begun: boolean;
  lost: boolean;
}

/** The bytes of the e-mail. The library reads them when the server is ready to take the text. */
function contentsOf(mime: Buffer, begin: () => Promise<boolean>, progress: Progress): Readable {
  async function* contents() {
    progress.lost = !(await begin());
    if (progress.lost) throw new Error('the work is held by another');
    progress.begun = true;
    yield mime;
  }
  return Readable.from(contents(), { objectMode: false });
}

async function composeMime(from: string, { to, subject, text, key }: Email): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const messageId = `<${key}@${addressOf(from).split('@')[1] ?? 'majlis'}>`;
  const headers = { 'Auto-Submitted': 'auto-generated' };
  const mail = new MailComposer({ from, to: { name: '', address: to }, subject, text, messageId, headers });
  return mail.compile().build();
}

/** `Acme <help@acme.example>` → `help@acme.example` */
function addressOf(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender;
}
