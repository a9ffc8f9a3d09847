import type { Logger } from 'pino';
import { deliverEmail } from './deliver-email.ts';
import type { Email, EmailOutcome } from './email.ts';

export interface Mailer {
  /**
   * Sends one e-mail. The mailer calls `begin` once, when the server is ready to take the text. If `begin` answers false,
   * nothing is sent. Never rejects.
   */
  send(email: Email, begin: () => Promise<boolean>): Promise<EmailOutcome>;
}

export interface MailerSettings {
  /** Undefined: no e-mail is sent, and the log names each e-mail that was left out. */
  smtpUrl: string | undefined;
  smtpFrom: string | undefined;
}

export function createMailer({ smtpUrl, smtpFrom }: MailerSettings, log: Logger): Mailer {
  return {
    async send(email, begin) {
      if (smtpUrl) return deliverEmail({ smtp_url: smtpUrl, from: smtpFrom! }, email, begin);
      if (!(await begin())) return { type: 'lost' };
      // `dev` logs warnings and above, and SMTP_URL is most often unset there.
      log.warn({ to: email.to, subject: email.subject }, 'an e-mail was not sent, because SMTP_URL is not set');
      return { type: 'sent' };
    },
  };
}
