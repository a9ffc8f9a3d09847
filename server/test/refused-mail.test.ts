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
});
