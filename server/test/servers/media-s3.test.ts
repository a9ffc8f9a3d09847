import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { addPlatformFile, downloadFile, samples, sized, uploadFile } from '@majlis/testing/media';
import { newDigits, untilStatus } from '@majlis/testing/messages';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { startS3 } from '@majlis/testing/s3-server';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../../src/database/ids.ts';

const bucket = 'majlis-media';
const s3 = await startS3(bucket);
const majlis = await startTestService({
  env: {
    RATE_LIMITS: 'off',
    S3_ENDPOINT: s3.url,
    S3_REGION: 'us-east-1',
    S3_BUCKET: bucket,
    S3_PREFIX: 'majlis/files/',
    ...s3.credentials,
  },
});
let workspace: TestWorkspace;
before(async () => {
  workspace = await majlis.workspace();
});

const onDisk = () => readdir(path.join(majlis.data_dir, 'media', 'incoming'));

describe('media in an object storage', () => {
  it('are put and got whole, under ids alone, and nothing stays on the local disk', async () => {
    for (const bytes of [samples.png, sized(samples.pdf, 30_000_000), Buffer.alloc(0)]) {
      const { status, body, text } = await uploadFile(majlis, workspace, bytes, { filename: 'فاتورة.pdf' });
      assert.equal(status, 201, text);
      const file = await downloadFile(majlis, workspace, body.id);
      assert.equal(file.status, 200);
      assert.ok(file.bytes.equals(bytes));
      assert.equal(file.headers.get('content-length'), String(bytes.length));
    }
    for (const name of await s3.keys()) {
      assert.match(name, /^majlis\/files\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/);
    }
    assert.deepEqual(await onDisk(), []);
  });

  it('are sent from there, and kept there when customers send them', async () => {
    const { body } = await uploadFile(majlis, workspace, samples.png, { filename: 'a.png' });
    const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const sent = await workspace.api.post(`/conversations/${conversation_id}/messages`, {
      kind: 'image',
      media_id: body.id,
    });
    await untilStatus(majlis, sent.body.id, 'read');
    const id = await addPlatformFile(majlis, workspace, samples.jpeg, { type: 'image/jpeg' });
    const received = await messageReceiver(majlis, workspace)(newDigits(), 'image', { id });
    const { media_id } = await eventually(
      async () => (await workspace.api.get(`/messages/${received.id}`)).body,
      (message) => message.media_id !== undefined,
    );
    const file = await downloadFile(majlis, workspace, media_id);
    assert.ok(file.bytes.equals(samples.jpeg));
    const key = parseId('media', media_id)!;
    assert.ok((await s3.keys()).some((name) => name.endsWith(`/${key}`)));
  });

  it('are swept when nobody uses them, and those that are used stay', async () => {
    const { body: unused } = await uploadFile(majlis, workspace, samples.jpeg);
    const used = await majlis.sql<{ id: string }>('select media_id as id from messages where media_id is not null');
    await majlis.advance(31 * 86_400);
    const kept = await eventually(s3.keys, (names) => names.length === used.length);
    assert.deepEqual(kept.map((name) => path.basename(name)).sort(), used.map(({ id }) => id).sort());
    assert.equal((await downloadFile(majlis, workspace, unused.id)).status, 404);
  });

  it('that cannot be stored are refused for the moment: 503, with nothing left behind', async () => {
    await s3.stop();
    const before = await majlis.sql('select id from media');
    const reply = await uploadFile(majlis, workspace, samples.png);
    assertRefused(reply, 503);
    assert.ok(reply.headers.get('retry-after'));
    assert.deepEqual(await majlis.sql('select id from media'), before);
    assert.deepEqual(await onDisk(), []);
  });
});
