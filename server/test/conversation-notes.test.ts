import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { smtpError as smtpReply, startMailServer } from '@majlis/testing/mail-server';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { parseId, publicId } from '../src/database/ids.ts';

const mail = await startMailServer();
const majlis = await startTestService({
  env: { RATE_LIMITS: 'off', SMTP_URL: mail.url, SMTP_FROM: 'Majlis <majlis@acme.example>' },
});
const mailHeaders = [
  ...['auto-submitted', 'content-transfer-encoding', 'content-type', 'date', 'from', 'message-id', 'mime-version'],
  ...['subject', 'to'],
];

let workspace: TestWorkspace;
let conversation_id: string;

before(async () => {
  workspace = await majlis.workspace({
    users: [
      { name: 'Omar Ali', email: 'omar@acme.example' },
      { name: 'OMAR Said', email: 'omar.said@acme.example' },
      { name: 'أحمد الحارثي', email: 'ahmad@acme.example' },
      { name: 'Aisha Said', email: 'aisha@acme.example' },
    ],
    api_keys: [{ name: 'backend', scopes: ['messages:write'], created_by: 'aisha@acme.example' }],
  });
  conversation_id = await receiveText(majlis, workspace, newDigits());
});

beforeEach(async () => {
  await untilMailed();
  mail.script = {};
  mail.received.length = 0;
});

const addNote = (body: unknown, id = conversation_id) => workspace.api.post(`/conversations/${id}/notes`, { body });
const read = async (id = conversation_id) => (await workspace.api.get(`/conversations/${id}`)).body;

async function note(body: string, id?: string) {
  const reply = await addNote(body, id);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

/** E-mail addresses of those whom the note names, as it is kept. */
async function mentionsOf({ id }: { id: string }): Promise<string[]> {
  const rows = await majlis.sql<{ email: string }>(
    'select u.email from note_mentions n join users u on u.id = n.user_id where n.message_id = $1 order by u.email',
    [parseId('message', id)],
  );
  return rows.map(({ email }) => email);
}

async function untilMailed(): Promise<void> {
  await eventually(
    () => majlis.sql(`select id from jobs where kind = 'messages.mail_mention'`),
    (rows) => rows.length === 0,
  );
}

const recipients = () => mail.received.map(({ to }) => to.join()).sort();

describe('a note', () => {
  it('is a message of the team, listed and read like the others, without a status', async () => {
    const added = await note('She asked for a call \u0645\n@nobody');
    const { created_at, id, ...rest } = added;
    const [aisha] = await majlis.sql(
      `select id from users where email = 'aisha@acme.example' and workspace_id =
      (select workspace_id from conversations where id = $1)`,
      [parseId('conversation', conversation_id)],
    );
    assert.deepEqual(rest, {
      conversation_id,
      direction: 'outbound',
      kind: 'note',
      body: 'She asked for a call \u0645\n@nobody',
      actor_kind: 'user',
      actor_id: publicId('user', aisha!.id),
    });
    assert.match(created_at, /Z$/);
    assert.deepEqual((await workspace.api.get(`/messages/${id}`)).body, added);
    assert.deepEqual((await workspace.api.get(`/conversations/${conversation_id}/messages`)).body.data.at(-1), added);
  });

  it('changes nothing of the conversation, and never reaches the platform', async () => {
    const digits = newDigits();
    const id = await receiveText(majlis, workspace, digits);
    const before = await read(id);
    assert.equal(before.unread_count, 1);
    await note('@Omar hidden', id);
    assert.deepEqual(await read(id), before);
    await untilDispatched(majlis);
    assert.ok(!JSON.stringify(majlis.simulator.ledger()).includes('hidden'));
    assert.deepEqual(
      await majlis.sql(`select 1 from events where payload like '%hidden%' and type <> 'note.added'`),
      [],
    );
  });

  it('opens no window', async () => {
    const { body } = await workspace.api.post('/messages', { to: `+${newDigits()}`, ...templateMessage });
    await note('Hello', body.conversation_id);
    const refused = await workspace.api.post(`/conversations/${body.conversation_id}/messages`, {
      kind: 'text',
      body: 'Hello',
    });
    assert.equal(refused.body.code, 'window_closed');
  });

  it('is taken in a conversation that is closed, with a bot, of a blocked contact', async () => {
    const id = await receiveText(majlis, workspace, newDigits());
    await workspace.api.post(`/conversations/${id}/close`, {});
    await workspace.api.post(`/conversations/${id}/handover`, { to: 'bot' });
    await majlis.sql('update contacts set blocked = true where id = $1', [
      parseId('contact', (await read(id)).contact_id),
    ]);
    await note('For the record', id);
  });

  it('cannot be quoted to the customer', async () => {
    const { id } = await note('Between us');
    const reply = await workspace.api.post(`/conversations/${conversation_id}/messages`, {
      kind: 'text',
      body: 'As we said',
      reply_to_id: id,
    });
    assert.deepEqual(
      assertRefused(reply).errors?.map(({ pointer }) => pointer),
      ['/reply_to_id'],
    );
  });

  it('needs a text', async () => {
    for (const body of ['', ' \n', undefined, null, 7, ['x']]) {
      assert.deepEqual(assertRefused(await addNote(body)).errors?.[0]?.pointer, '/body');
    }
  });
});

describe('a mention', () => {
  it('is kept for each teammate of that first name, once', async () => {
    assert.deepEqual(await mentionsOf(await note('@omar, @Omar! and omar@aisha.example')), [
      'omar.said@acme.example',
      'omar@acme.example',
    ]);
    assert.deepEqual(await mentionsOf(await note('و@احمد، شكرا')), ['ahmad@acme.example']);
    assert.deepEqual(await mentionsOf(await note('Nobody @Zaid')), []);
  });

  it('is told by e-mail, once, whoever else is named', async () => {
    const { id } = await note('@Omar and @أحمد: call her');
    await untilMailed();
    assert.deepEqual(recipients(), ['ahmad@acme.example', 'omar.said@acme.example', 'omar@acme.example']);
    const { source } = mail.received[0]!;
    assert.match(source, /^From: Majlis <majlis@acme\.example>/m);
    assert.match(source, new RegExp(`^Message-ID:\\s+<${id}\\.usr_\\w{26}@acme\\.example>`, 'im'));
    assert.match(source, /^Subject: Aisha Said mentioned you/m);
  });

  it('does not let a text, a name or an address write headers or commands', async () => {
    const more = '\r\nBcc: eve@evil.example\r\n\r\n.\r\nMAIL FROM:<eve@evil.example>';
    const crafted = await majlis.workspace({
      workspace: { name: `Acme ${randomUUID()}${more}` },
      users: [
        { name: 'Omar Ali', email: 'omar@acme.example' },
        { name: 'Omar CRLF', email: `omar@acme.example${more}` },
        { name: 'Omar Bracket', email: 'omar@acme.example>\r\nRCPT TO:<eve@evil.example' },
        { name: 'Omar Comma', email: 'omar.comma@acme.example, eve@evil.example' },
        { name: `Aisha${more}`, email: 'aisha@acme.example' },
      ],
      api_keys: [{ name: 'backend', scopes: ['messages:write'], created_by: 'aisha@acme.example' }],
    });
    const id = await receiveText(majlis, crafted, newDigits());
    await crafted.api.post(`/conversations/${id}/notes`, { body: `@Omar${more}` });
    await untilMailed();
    assert.ok(recipients().every((to) => !to.startsWith('eve')));
    assert.ok(recipients().includes('omar@acme.example'));
    for (const { source } of mail.received) {
      const unfolded = source.split('\r\n\r\n')[0]!.replace(/\r\n[ \t]+/g, ' ');
      const headers = unfolded.split(/\r\n|\r|\n/);
      assert.deepEqual(headers.map((header) => header.split(':')[0]!.toLowerCase()).sort(), mailHeaders);
      assert.match(headers.find((header) => header.startsWith('Subject:'))!, /^Subject: Aisha.* mentioned you/);
      // Who wrote the note stands on one line: the next one would seem to be of the service.
      const lines = source.replaceAll('=\r\n', '').split('\r\n');
      assert.match(
        lines.find((line) => line.startsWith('=E2=80=94'))!,
        /^=E2=80=94 Aisha .*, Acme .*, conversation cv_\w+/,
      );
    }
  });

  it('waits for a mail server that is away, and for one that says later', async () => {
    let tries = 0;
    mail.script.recipient = () => (tries++ < 2 ? smtpReply(451) : undefined);
    await mail.close();
    await note('@أحمد now');
    await eventually(
      () => majlis.sql(`select failures from jobs where kind = 'messages.mail_mention'`),
      ([job]) => job!.failures > 0,
    );
    await mail.open();
    await eventually(
      async () => {
        await majlis.advance(400);
        return tries;
      },
      (count) => count === 3,
    );
    await untilMailed();
    assert.deepEqual(recipients(), ['ahmad@acme.example']);
  });

  it('is told to nobody who was removed while the e-mail waited', async () => {
    const owner = await joinWorkspace(majlis, workspace, { name: 'Oula Owner' });
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent', name: 'Layla Leaver' });
    await untilMailed();
    let tries = 0;
    mail.script.recipient = () => (tries++ === 0 ? smtpReply(451) : undefined);
    await note('@Layla the customer is Muna');
    await eventually(
      () => majlis.sql(`select failures from jobs where kind = 'messages.mail_mention'`),
      ([job]) => job!.failures > 0,
    );
    assert.equal((await owner.at('DELETE', `/members/${leaver.user_id}`)).status, 204);
    await eventually(
      async () => {
        await majlis.advance(400);
        return majlis.sql(`select id from jobs where kind = 'messages.mail_mention'`);
      },
      (rows) => rows.length === 0,
    );
    assert.deepEqual([tries, recipients()], [1, []]);
  });

  it('is told again to nobody whom the server refuses for good', async () => {
    let tries = 0;
    mail.script.recipient = () => smtpReply(tries++ < 9 ? 550 : 250);
    await note('@أحمد now');
    await untilMailed();
    assert.deepEqual([tries, mail.received.length], [1, 0]);
  });

  it('is not told twice where the connection broke over the text', async () => {
    mail.script.text = async () => {
      mail.cut();
      return undefined;
    };
    await note('@أحمد now');
    await untilMailed();
    assert.equal(mail.received.length, 1);
    assert.ok(majlis.log.some((line) => line.includes('"unknown"')));
  });

  it('is not told twice by a process that died over the text, and is told by the next one that died before', async () => {
    const [message] = [await note('Nobody yet')];
    const [user] = await majlis.sql<{ id: string; workspace_id: string }>(
      `select id, workspace_id from users where email = 'ahmad@acme.example' and workspace_id =
        (select workspace_id from conversations where id = $1)`,
      [parseId('conversation', conversation_id)],
    );
    const mention = { workspace_id: user!.workspace_id, message_id: parseId('message', message.id), user_id: user!.id };
    await majlis.sql(
      'insert into note_mentions (workspace_id, message_id, user_id, created_at) values ($1, $2, $3, now())',
      [...Object.values(mention)],
    );
    const leave = (started: boolean) =>
      majlis.sql(
        `insert into jobs (kind, group_id, payload, run_at, attempts, started_at)
         values ('messages.mail_mention', $1, $2, now(), 1, case when $3 then now() end)`,
        [mention.workspace_id, JSON.stringify(mention), started],
      );
    await leave(true);
    await untilMailed();
    assert.equal(mail.received.length, 0);
    await leave(false);
    await untilMailed();
    assert.deepEqual(recipients(), ['ahmad@acme.example']);
  });

  it('is logged, without the text, where no mail server is set', async () => {
    const quiet = await startTestService({ env: { RATE_LIMITS: 'off' } });
    const other = await quiet.workspace({ users: [{ name: 'Omar Ali', email: 'omar@acme.example' }] });
    const id = await receiveText(quiet, other, newDigits());
    await other.api.post(`/conversations/${id}/notes`, { body: '@Omar secret' });
    const [line] = await eventually(
      () => quiet.log.filter((text) => text.includes('SMTP_URL is not set')),
      (lines) => lines.length > 0,
    );
    assert.ok(line!.includes('omar@acme.example') && !line!.includes('secret'), line);
    // The level at which `dev` begins to log.
    assert.equal(JSON.parse(line!).level, 'warn');
  });
});
