import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { smtpError, startMailServer } from '@majlis/testing/mail-server';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService } from '@majlis/testing/start-test-service';

const mail = await startMailServer();
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off', SMTP_URL: mail.url, SMTP_FROM: 'Majlis <majlis@acme.example>' },
});

describe('an invitation that the mail server refuses', () => {
  for (const code of [451, 554]) {
    it(`leaves its link out of the log, though the server quotes it with ${code}`, async () => {
      const admin = await joinWorkspace(majlis, await majlis.workspace(), { role: 'admin' });
      let token = '';
      mail.script.text = async (source) => {
        const decoded = source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
        const link = /http\S+#\S+/.exec(decoded)![0];
        token = link.split('#')[1]!;
        return Object.assign(smtpError(code), { message: `5.7.1 Refused for its address ${link} (spam)` });
      };
      const told = majlis.log.length;
      await admin.at('POST', '/invitations', { email: `guest-${code}@acme.example`, role: 'agent' });
      const lines = await eventually(
        () => majlis.log.slice(told).filter((line) => line.includes('an e-mail with an invitation')),
        ({ length }) => length > 0,
      );
      assert.match(lines[0]!, /5\.7\.1 Refused for its address \S+#\[redacted\] \(spam\)/);
      assert.ok(token.length > 30);
      assert.ok(majlis.log.every((line) => !line.includes(token)));
    });
  }

  it('is mailed no more, and says so, where no key opens its link any more', async () => {
    const admin = await joinWorkspace(majlis, await majlis.workspace(), { role: 'admin' });
    mail.script.text = async () => smtpError(451);
    const told = majlis.log.length;
    const untilLogged = (text: string) =>
      eventually(
        () => majlis.log.slice(told).filter((line) => line.includes(text)),
        ({ length }) => length > 0,
      );
    await admin.at('POST', '/invitations', { email: 'guest@acme.example', role: 'agent' });
    await untilLogged('an e-mail with an invitation was not delivered');
    const spoil = () =>
      majlis.sql(
        `update jobs set payload = jsonb_set(payload::jsonb, '{token}', to_jsonb('AAAA' || substr(payload::json ->> 'token', 5)))::text
         where kind = 'people.mail_invitation' and worker_id is null returning id`,
      );
    await eventually(spoil, ({ length }) => length === 1);
    await majlis.advance(3_600);
    await untilLogged('an invitation was not mailed: its link was sealed with another SECRET_KEY');
  });
});
