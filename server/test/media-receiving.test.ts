import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { cleanUp, within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { addPlatformFile, downloadFile, samples, sized } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { postNotification, receiveText, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { readReceivedMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import { parseId, publicId } from '../src/database/ids.ts';

/** A message of a customer that has its file, or says that it could not be had. */
async function withFile({ api }: TestWorkspace, message_id: string) {
  return eventually(
    async () => (await api.get(`/messages/${message_id}`)).body,
    (message) => message.media_id !== undefined || message.error !== undefined,
  );
}

async function eventsOf({ sql }: TestService, message_id: string): Promise<string[]> {
  const events = await sql<{ type: string }>(
    `select type from events where payload::json -> 'data' -> 'message' ->> 'id' = $1`,
    [message_id],
  );
  return events.map(({ type }) => type);
}

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

describe('a file that a customer sends', () => {
  let workspace: TestWorkspace;
  before(async () => {
    workspace = await majlis.workspace();
  });

  const cases: [string, string, Buffer, string, string | undefined][] = [
    ['image', 'image', samples.jpeg, 'image/jpeg', undefined],
    ['document', 'file', samples.pdf, 'application/pdf', 'فاتورة.pdf'],
    ['audio', 'voice', samples.opus, 'audio/ogg; codecs=opus', undefined],
    ['video', 'video', samples.mp4, 'video/mp4', undefined],
    ['sticker', 'image', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'image/webp', undefined],
  ];
  for (const [type, kind, bytes, mime, filename] of cases) {
    it(`of type ${type} is fetched, kept, and served to the workspace`, async () => {
      const id = await addPlatformFile(majlis, workspace, bytes, { type: mime, filename });
      const { phone_number_id } = workspace;
      const content = { id, ...(filename && { filename, caption: 'Here' }) };
      const wamid = majlis.simulator.inject({ phone_number_id, from: newDigits(), type, content });
      const received = await readReceivedMessage(majlis, workspace, wamid);
      const message = await withFile(workspace, received.id);
      assert.equal(message.kind, kind);
      assert.deepEqual([message.mime, message.size_bytes, message.filename], [mime, bytes.length, filename]);
      assert.equal(message.error, undefined);
      const file = await downloadFile(majlis, workspace, message.media_id);
      assert.deepEqual([file.status, file.headers.get('content-type')], [200, mime]);
      assert.deepEqual(file.bytes, bytes);
      const other = await majlis.workspace();
      assert.equal((await downloadFile(majlis, other, message.media_id)).status, 404);
    });
  }

  it('has a name without paths, line breaks and turned directions, as an upload has', async () => {
    const id = await addPlatformFile(majlis, workspace, samples.pdf, { type: 'application/pdf' });
    const { phone_number_id } = workspace;
    const content = { id, filename: '../../a\u202egpj\n.exe' };
    const wamid = majlis.simulator.inject({ phone_number_id, from: newDigits(), type: 'document', content });
    const message = await withFile(workspace, (await readReceivedMessage(majlis, workspace, wamid)).id);
    assert.equal(message.filename, 'agpj.exe');
    const file = await downloadFile(majlis, workspace, message.media_id);
    assert.match(file.headers.get('content-disposition')!, /filename\*=UTF-8''agpj\.exe$/);
  });

  it('is believed by its bytes when it is served', async () => {
    const id = await addPlatformFile(majlis, workspace, samples.html, { type: 'image/jpeg' });
    const { phone_number_id } = workspace;
    const wamid = majlis.simulator.inject({ phone_number_id, from: newDigits(), type: 'image', content: { id } });
    const message = await withFile(workspace, (await readReceivedMessage(majlis, workspace, wamid)).id);
    const { headers } = await downloadFile(majlis, workspace, message.media_id);
    assert.equal(headers.get('content-type'), 'text/html');
    assert.match(headers.get('content-disposition')!, /^attachment/);
  });

  it('does not hold up its message, which says so when the platform has it no longer', async () => {
    const { phone_number_id } = workspace;
    const content = { id: '790000000000001', mime_type: 'image/jpeg', caption: 'Look' };
    const wamid = majlis.simulator.inject({ phone_number_id, from: newDigits(), type: 'image', content });
    const received = await readReceivedMessage(majlis, workspace, wamid);
    assert.equal(received.body, 'Look');
    assert.equal(received.error, undefined);
    assert.deepEqual(await eventsOf(majlis, received.id), []);
    for (let failures = 1; failures <= 4; failures++) {
      await eventually(
        () => majlis.sql<{ failures: number }>(`select failures from jobs where kind = 'messages.fetch_media'`),
        (rows) => rows[0]?.failures === failures,
      );
      await majlis.advance(60);
    }
    const message = await withFile(workspace, received.id);
    assert.equal(message.media_id, undefined);
    assert.equal(message.error, '100: The file of the message could not be fetched from the platform.');
    assert.deepEqual(await eventsOf(majlis, received.id), ['message.received']);
  });
});

type Play = (request: IncomingMessage, response: ServerResponse, url: string) => void;
const bytes = sized(samples.pdf, 200_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const asked: { url: string; token: string | undefined }[] = [];
let play: { find: Play; file: Play };
const stranger = createServer((request, response) => {
  asked.push({ url: `stranger${request.url}`, token: request.headers.authorization });
  response.end('stolen');
});
const platform = createServer((request, response) => {
  const url = `http://${request.headers.host}`;
  asked.push({ url: request.url!, token: request.headers.authorization });
  if (request.url!.startsWith('/file')) return play.file(request, response, url);
  if (request.url!.startsWith('/v24.0/77')) return play.find(request, response, url);
  response.writeHead(503).end();
});
const answerFound =
  (more: object = {}): Play =>
  (_request, response, url) => {
    const found = { url: `${url}/file`, sha256, file_size: bytes.length, id: '77', mime_type: 'application/pdf' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...found, ...more }));
  };
const answerBytes: Play = (_request, response) => void response.writeHead(200).end(bytes);

for (const server of [platform, stranger]) {
  cleanUp('a server', () => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
}
const troubled = await startTestService({
  env: {
    CHATAPP_API_URL: `http://127.0.0.1:${(platform.address() as AddressInfo).port}/v24.0`,
    PLATFORM_TIMEOUT_SECONDS: '1',
    RATE_LIMITS: 'off',
  },
});

describe('a platform in trouble', () => {
  let workspace: TestWorkspace;
  before(async () => {
    workspace = await troubled.workspace();
  });

  async function receive(by = workspace, from = newDigits()): Promise<string> {
    const id = `wamid.${newDigits()}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const document = { id: '77', mime_type: 'application/pdf', filename: 'a.pdf' };
    await postNotification(troubled, by, { messages: [{ from, id, timestamp, type: 'document', document }] });
    await untilNotificationsProcessed(troubled);
    const [row] = await troubled.sql<{ id: string }>('select id from messages where platform_message_id = $1', [id]);
    return publicId('message', row!.id);
  }
  const failures = () =>
    troubled.sql<{ failures: number }>(`select failures from jobs where kind = 'messages.fetch_media'`);
  const keptFiles = async () => {
    const names = await readdir(path.join(troubled.data_dir, 'media'), { recursive: true }).catch(() => []);
    const files = await Promise.all(names.map((name) => stat(path.join(troubled.data_dir, 'media', name))));
    return files.filter((file) => file.isFile()).length;
  };

  for (const [what, trouble] of Object.entries<Partial<typeof play>>({
    'answers 500': { find: (_, response) => void response.writeHead(500).end('oops') },
    'does not answer': { find: () => {} },
    'sends other bytes than it says': { find: answerFound({ sha256: 'ff' }) },
    'breaks off': {
      file: (_, response) => {
        response.writeHead(200, { 'content-length': bytes.length });
        response.write(bytes.subarray(0, 9_000), () => response.destroy());
      },
    },
    'has let the address expire': { file: (_, response) => void response.writeHead(404).end('<html>') },
    'redirects for ever': { file: (_, response) => void response.writeHead(302, { location: '/file' }).end() },
  })) {
    it(`is asked again when it ${what}, and nothing half fetched is kept`, async () => {
      const before = await keptFiles();
      play = { find: answerFound(), file: answerBytes, ...trouble };
      const message_id = await receive();
      await eventually(failures, (rows) => rows[0]?.failures === 1);
      assert.equal(await keptFiles(), before);
      play = { find: answerFound(), file: answerBytes };
      await troubled.advance(3);
      const message = await withFile(workspace, message_id);
      assert.equal(message.size_bytes, bytes.length);
      assert.equal(message.error, undefined);
    });
  }

  it('is followed to its own hosts alone: no other is asked, or shown the token', async () => {
    const elsewhere = `http://localhost:${(stranger.address() as AddressInfo).port}/file`;
    for (const trouble of [
      { find: answerFound({ url: elsewhere }) },
      { file: ((_, response) => void response.writeHead(302, { location: elsewhere }).end()) as Play },
      { find: answerFound({ url: 'file:///etc/passwd' }) },
      { find: answerFound({ url: 'http://169.254.169.254/latest' }) },
    ]) {
      asked.length = 0;
      play = { find: answerFound(), file: answerBytes, ...trouble };
      const message_id = await receive();
      await eventually(failures, (rows) => rows[0]?.failures === 1);
      assert.deepEqual(
        asked.filter(({ url }) => url.startsWith('stranger')),
        [],
      );
      play = { find: answerFound(), file: answerBytes };
      await troubled.advance(3);
      await withFile(workspace, message_id);
    }
    assert.ok(!troubled.log.join('').includes(workspace.access_token));
  });

  it('holds back the event of the message until its file can be fetched, and the message and later ones not', async () => {
    const other = await troubled.workspace();
    const receiver = await startWebhookReceiver();
    const downloads = new Map<string, number>();
    receiver.answer(async ({ event }, response) => {
      const { media_id } = (await other.api.get(`/messages/${event.data.message.id}`)).body;
      if (media_id !== undefined) downloads.set(event.id, (await downloadFile(troubled, other, media_id)).status);
      response.end();
    });
    await other.api.post('/webhook-endpoints', { url: receiver.url, events: ['message.received'] });
    play = { find: (_, response) => void response.writeHead(500).end(), file: answerBytes };
    const from = newDigits();
    const held = await receive(other, from);
    await eventually(failures, (rows) => rows[0]?.failures === 1);
    const later = await receiveText(troubled, other, from, 'this one');
    await eventually(
      () => receiver.arrivals,
      (arrivals) => arrivals.length === 1,
    );
    const { unread_count } = (await other.api.get(`/conversations/${later}`)).body;
    assert.equal(unread_count, 2);
    assert.equal((await other.api.get(`/conversations/${later}/messages`)).body.data.length, 2);

    play = { find: answerFound(), file: answerBytes };
    await troubled.advance(3);
    const [ofText, ofFile] = await eventually(
      () => receiver.arrivals.map(({ event }) => event),
      (events) => events.length === 2,
    );
    assert.equal(ofText.data.message.body, 'this one');
    assert.equal(ofFile.data.message.id, held);
    // The receiver downloads after the arrival.
    await eventually(
      () => downloads.get(ofFile.id),
      (status) => status === 200,
    );
    // Receivers that order by time see the messages in their order.
    assert.equal(ofFile.created_at, (await other.api.get(`/messages/${held}`)).body.created_at);
    assert.ok(ofFile.created_at < ofText.created_at);
  });

  it('has no event of a message whose contact was erased before its file came, and its file is not kept', async () => {
    const other = await troubled.workspace();
    const before = await keptFiles();
    const found = Promise.withResolvers<() => void>();
    play = { find: (...call) => found.resolve(() => answerFound()(...call)), file: answerBytes };
    const from = newDigits();
    await receive(other, from);
    const answer = await within(found.promise, 30_000, 'the answer');
    const [contact] = (await other.api.get(`/contacts?q=${from}`)).body.data;
    assert.equal((await other.api.request('DELETE', `/contacts/${contact.id}`)).status, 204);
    answer();
    await eventually(failures, (rows) => rows.length === 0);
    const events = await troubled.sql('select type from events where workspace_id = $1', [
      parseId('workspace', other.id),
    ]);
    assert.deepEqual(events, [{ type: 'contact.erased' }]);
    assert.equal(await keptFiles(), before);
  });

  it('is given up after the days for which it keeps a file, and at once for one that is too large', async () => {
    play = { find: answerFound({ file_size: String(200 * 1_048_576) }), file: answerBytes };
    const large = await withFile(workspace, await receive());
    assert.match(large.error, /could not be fetched/);
    play = { find: (_, response) => void response.writeHead(500).end(), file: answerBytes };
    const message_id = await receive();
    await eventually(failures, (rows) => rows[0]?.failures === 1);
    await troubled.advance(8 * 86_400);
    const lost = await withFile(workspace, message_id);
    assert.equal(lost.media_id, undefined);
    assert.match(lost.error, /could not be fetched/);
    assert.deepEqual(await failures(), []);
    assert.deepEqual(await eventsOf(troubled, message_id), ['message.received']);
  });
});
