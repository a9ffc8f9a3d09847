import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { smtpError, startMailServer } from '@majlis/testing/mail-server';
import { joinWorkspace, openBrowser } from '@majlis/testing/people';
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

describe('a link for a new password', () => {
  const ask = (email: string) => openBrowser(majlis).post('/password/forgot', { email });
  const waiting = () => majlis.sql(`select 1 from jobs where kind = 'people.mail_reset'`);

  it('is mailed to nobody without an account', async () => {
    delete mail.script.text;
    const { email } = await joinWorkspace(majlis, await majlis.workspace());
    for (const asking of ['nobody@acme.example', email]) assert.equal((await ask(asking)).status, 204);
    await eventually(waiting, ({ length }) => length === 0);
    const received = mail.received.flatMap(({ to }) => to);
    assert.deepEqual([received.includes('nobody@acme.example'), received.includes(email)], [false, true]);
  });

  it('is mailed no more where its e-mail was cut off and may have arrived, and the log says so', async () => {
    const { email } = await joinWorkspace(majlis, await majlis.workspace());
    mail.script.text = async () => smtpError(451);
    await ask(email);
    const cut = `update jobs set started_at = now() where kind = 'people.mail_reset' and worker_id is null returning 1`;
    const told = (text: string) => majlis.log.some((line) => line.includes(`an e-mail to reset a password ${text}`));
    await eventually(() => told('was not delivered'), Boolean);
    await eventually(
      () => majlis.sql(cut),
      ({ length }) => length === 1,
    );
    delete mail.script.text;
    await majlis.advance(3_600);
    await eventually(waiting, ({ length }) => length === 0);
    assert.ok(told('was cut off, and may have arrived'));
    assert.ok(!mail.received.some(({ to }) => to.includes(email)));
  });
});
