import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { samples, sized, uploadFile } from '@majlis/testing/media';
import { newDigits, untilStatus } from '@majlis/testing/messages';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let conversation_id: string;
before(async () => {
  workspace = await majlis.workspace();
  ({ conversation_id } = await receiveMessage(majlis, workspace, newDigits()));
});

const send = (body: object) => workspace.api.post(`/conversations/${conversation_id}/messages`, body);
const uploaded = async (bytes: Buffer, filename: string, of = workspace) =>
  (await uploadFile(majlis, of, bytes, { filename })).body.id as string;

/** What the platform was sent for the message. */
async function sentFor(message_id: string) {
  const entry = await eventually(
    () => majlis.simulator.ledger().find((entry) => entry.biz_opaque_callback_data === message_id),
    (found) => found !== undefined,
  );
  return entry!.body as Record<string, Record<string, unknown>>;
}
const copies = () => majlis.sql<{ platform_media_id: string }>('select platform_media_id from media_on_platform');

describe('a message with a file', () => {
  const cases: [string, Buffer, string, string, string, string | undefined][] = [
    ['image', samples.png, 'front.png', 'image/png', 'image', 'Front view'],
    ['image', samples.jpeg, 'a.jpg', 'image/jpeg', 'image', undefined],
    ['video', samples.mp4, 'a.mp4', 'video/mp4', 'video', 'Demo'],
    ['file', samples.pdf, 'فاتورة.pdf', 'application/pdf', 'document', 'Invoice'],
    ['file', Buffer.from('a,b\n1,2\n'), 'list.csv', 'text/plain', 'document', undefined],
    ['voice', samples.opus, 'note.ogg', 'audio/ogg; codecs=opus', 'audio', undefined],
    ['voice', samples.mp3, 'note.mp3', 'audio/mpeg', 'audio', undefined],
  ];
  for (const [kind, bytes, filename, mime, wire, caption] of cases) {
    it(`of kind ${kind} is delivered with its ${mime}`, async () => {
      const media_id = await uploaded(bytes, filename);
      const reply = await send({ kind, media_id, ...(caption && { body: caption }) });
      assert.equal(reply.status, 201, reply.text);
      const file = { media_id, filename, mime, size_bytes: bytes.length };
      const shown = (({ media_id, filename, mime, size_bytes }) => ({ media_id, filename, mime, size_bytes }))(
        reply.body,
      );
      assert.deepEqual(shown, file);
      assert.deepEqual([reply.body.body, reply.body.caption], [caption, caption]);
      await untilStatus(majlis, reply.body.id, 'read');
      const body = await sentFor(reply.body.id);
      const { id, ...rest } = body[wire]!;
      assert.match(String(id), /^79\d+$/);
      assert.deepEqual(rest, {
        ...(caption && { caption }),
        ...(kind === 'file' && { filename }),
        ...(mime.startsWith('audio/ogg') && { voice: true }),
      });
      const { body: later } = await workspace.api.get(`/messages/${reply.body.id}`);
      assert.deepEqual(later, { ...reply.body, status: 'read' });
    });
  }

  it('gives the platform a file once, however many messages carry it, and again when its copy has expired', async () => {
    const media_id = await uploaded(samples.png, 'once.png');
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await send({ kind: 'image', media_id })).body.id),
    );
    const used = new Set(await Promise.all(ids.map(async (id) => (await sentFor(id)).image!.id)));
    assert.equal(used.size, 1);
    await majlis.advance(30 * 86_400);
    await hearAgain();
    const later = await sentFor((await send({ kind: 'image', media_id })).body.id);
    assert.ok(!used.has(later.image!.id));
  });

  /** The window is open again. */
  async function hearAgain(): Promise<void> {
    ({ conversation_id } = await receiveMessage(majlis, workspace, newDigits()));
  }

  it('uploads anew what the platform has forgotten before its time', async () => {
    const media_id = await uploaded(samples.png, 'forgotten.png');
    const first = await sentFor((await send({ kind: 'image', media_id })).body.id);
    const answer = await fetch(`${majlis.simulator.api_url}/${first.image!.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${workspace.access_token}` },
    });
    assert.equal(answer.status, 200);
    const { body } = await send({ kind: 'image', media_id });
    await untilStatus(majlis, body.id, 'read');
  });

  it('lets the platform fetch what its upload does not take, from an address that says nothing and ends', async () => {
    const media_id = await uploaded(samples.zip, 'all.zip');
    const { body } = await send({ kind: 'file', media_id });
    await untilStatus(majlis, body.id, 'read');
    const { link, filename } = (await sentFor(body.id)).document!;
    assert.equal(filename, 'all.zip');
    const address = new URL(String(link)).pathname;
    assert.match(address, /^\/platform\/chatapp\/media\/[\w-]+$/);
    const fetched = await fetch(`${majlis.url}${address}`);
    assert.equal(fetched.status, 200);
    assert.equal(fetched.headers.get('x-content-type-options'), 'nosniff');
    assert.deepEqual(Buffer.from(await fetched.arrayBuffer()), samples.zip);
    assert.equal((await fetch(`${majlis.url}${address}x`)).status, 404);
    await majlis.advance(86_401);
    assert.equal((await fetch(`${majlis.url}${address}`)).status, 404);
    await hearAgain();
  });

  it('fails with the reason where the platform refuses the file', async () => {
    const other = await majlis.workspace();
    const media_id = await uploaded(samples.mp4, 'a.mp4', other);
    const heard = await receiveMessage(majlis, other, newDigits());
    majlis.simulator.removeNumber(other.phone_number_id);
    const { body } = await other.api.post(`/conversations/${heard.conversation_id}/messages`, {
      kind: 'video',
      media_id,
    });
    const { error } = await untilStatus(majlis, body.id, 'failed');
    assert.match(error!, /^190: /);
  });

  it('fails with a reason where the file is gone when its turn comes', async () => {
    const media_id = await uploaded(samples.png, 'gone.png');
    await rm(path.join(majlis.data_dir, 'media'), { recursive: true });
    const { body } = await send({ kind: 'image', media_id });
    const { error } = await untilStatus(majlis, body.id, 'failed');
    assert.equal(error, 'The file of the message is no longer there.');
  });

  it('is refused with media_not_found for a file that is not of the workspace: 422', async () => {
    const foreign = await uploaded(samples.png, 'a.png', await majlis.workspace());
    for (const media_id of [foreign, 'med_00000000000000000000000000', 'med_1', '', foreign.replace('med_', 'msg_')]) {
      for (const kind of ['image', 'file', 'voice', 'video']) {
        assert.equal(assertRefused(await send({ kind, media_id })).code, 'media_not_found', media_id);
      }
    }
  });

  it('is refused where its kind does not take the type: 422 that points to media_id', async () => {
    const files: [string, Buffer][] = [
      ['image', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')],
      ['image', samples.html],
      ['image', samples.mp4],
      ['video', samples.png],
      ['voice', samples.png],
      ['voice', Buffer.from('RIFF\x10\0\0\0WAVEfmt ', 'latin1')],
    ];
    for (const [kind, bytes] of files) {
      const media_id = await uploaded(bytes, 'photo.png');
      const { code, errors } = assertRefused(await send({ kind, media_id }));
      assert.deepEqual([code, errors?.[0]?.pointer], ['unprocessable_content', '/media_id'], kind);
    }
  });

  it('is refused as a voice message with a caption, which nobody would see', async () => {
    const media_id = await uploaded(samples.opus, 'a.ogg');
    const { errors } = assertRefused(await send({ kind: 'voice', media_id, body: 'Listen' }));
    assert.equal(errors?.[0]?.pointer, '/body');
  });

  it('is answered again under its idempotency key, and sent once', async () => {
    const media_id = await uploaded(samples.png, 'key.png');
    const headers = { 'idempotency-key': 'one picture' };
    const path_ = `/conversations/${conversation_id}/messages`;
    const first = await workspace.api.post(path_, { kind: 'image', media_id }, headers);
    const again = await workspace.api.post(path_, { kind: 'image', media_id }, headers);
    assert.deepEqual(again.body, first.body);
    await untilStatus(majlis, first.body.id, 'read');
    const sends = majlis.simulator.ledger().filter((entry) => entry.biz_opaque_callback_data === first.body.id);
    assert.equal(sends.length, 1);
    assert.ok((await copies()).length > 0);
  });

  it('keeps its place among the messages of its conversation, though its file takes time', async () => {
    const media_id = await uploaded(sized(samples.pdf, 8_000_000), 'large.pdf');
    const ids: string[] = [];
    for (const body of [
      { kind: 'file', media_id },
      { kind: 'text', body: 'after' },
    ])
      ids.push((await send(body)).body.id);
    await untilStatus(majlis, ids[1]!, 'read');
    const order = majlis.simulator.ledger().map((entry) => entry.biz_opaque_callback_data);
    assert.deepEqual(
      order.filter((id) => ids.includes(id!)),
      ids,
    );
    assert.ok(parseId('message', ids[0]!));
  });
});
