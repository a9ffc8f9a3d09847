import { Readable } from 'node:stream';
import { describeFailure } from './describe-failure.ts';
import type { Email, EmailOutcome } from './email.ts';
import { type Connection, openConnection } from './open-connection.ts';

// Well below any lease: what a server leaves unanswered is known as such before another worker could take the work.
const sendTimeoutMs = 10_000;

/** One e-mail to one person through a mail server, one connection each: they are few. Never rejects. */
export async function deliverEmail(
  { smtp_url, from }: { smtp_url: string; from: string },
  email: Email,
  begin: () => Promise<boolean>,
): Promise<EmailOutcome> {
  const progress: Progress = { begun: false, lost: false };
  let connection: Connection | undefined;
  try {
    const mime = await composeMime(from, email);
    connection = await openConnection(smtp_url, sendTimeoutMs);
    await connection.send({ from: addressOf(from), to: email.to }, contentsOf(mime, begin, progress));
    return { type: 'sent' };
  } catch (error) {
    return progress.lost ? { type: 'lost' } : describeFailure(error, progress.begun);
  } finally {
    connection?.close();
  }
}

interface Progress {
  /** The server is being sent the text. */
  begun: boolean;
  lost: boolean;
}

/** The bytes of the e-mail, asked for when the server has said that it is ready for them. */
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
