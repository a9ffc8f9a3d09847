import type { Readable } from 'node:stream';

export interface MailConnection {
  send(envelope: { from: string; to: string }, contents: Readable): Promise<void>;
  close(): void;
}

/** Connects to the mail server of an `smtp:` or `smtps:` URL and logs in where it names a user. Loaded when first used. */
export async function openConnection(smtp_url: string, timeout_ms: number): Promise<MailConnection> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const { parseConnectionUrl } = await import('nodemailer/lib/shared');
  const { auth, ...target } = parseConnectionUrl(smtp_url);
  const isSecure = smtp_url.startsWith('smtps:');
  const smtp = new SMTPConnection({
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
    // `smtp:` uses STARTTLS where the server offers it and accepts any certificate, as mail servers do among themselves.
    // `smtps:` verifies the certificate.
    ...(!isSecure && { tls: { rejectUnauthorized: false } }),
    ...target,
  });
  // An error between two replies makes the next step fail.
  const broken = new Promise<never>((_, reject) => smtp.once('error', reject));
  broken.catch(() => {});
  const step = <Result>(take: (done: (error: Error | null | undefined, result?: Result) => void) => void) =>
    Promise.race([
      broken,
      new Promise<Result | undefined>((resolve, reject) => {
        take((error, result) => (error ? reject(error) : resolve(result)));
      }),
    ]);
  const close = () => {
    smtp.close();
  };
  try {
    await step((done) => smtp.connect(done));
    if (auth && smtp.allowsAuth) {
      const { user = '', pass = '' } = auth as { user?: string; pass?: string };
      await step((done) => smtp.login({ credentials: { user, pass } }, done));
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    async send(envelope, contents) {
      await step((done) => smtp.send(envelope, contents, done));
    },
    close,
  };
}
