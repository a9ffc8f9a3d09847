import type { Logger } from 'pino';
import { deliverEmail } from './deliver-email.ts';
import type { Email, EmailOutcome } from './email.ts';

export interface Mailer {
  /**
   * Sends one e-mail. `begin` is called once, when the server is ready to take the text; false stops it, and nothing is
   * sent. Never rejects.
   */
  send(email: Email, begin: () => Promise<boolean>): Promise<EmailOutcome>;
}

export interface MailerSettings {
  /** Undefined: no e-mail is sent, and the log tells of what would have been. */
  smtpUrl: string | undefined;
  smtpFrom: string | undefined;
}

export function createMailer({ smtpUrl, smtpFrom }: MailerSettings, log: Logger): Mailer {
  return {
    async send(email, begin) {
      if (smtpUrl) return deliverEmail({ smtp_url: smtpUrl, from: smtpFrom! }, email, begin);
      if (!(await begin())) return { type: 'lost' };
      // `dev` logs from this level on, and it is there that e-mail is most often missing.
      log.warn({ to: email.to, subject: email.subject }, 'an e-mail was not sent, because SMTP_URL is not set');
      return { type: 'sent' };
    },
  };
}
