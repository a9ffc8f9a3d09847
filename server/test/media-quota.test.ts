import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { addPlatformFile, samples, sized, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { messageReceiver } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', MEDIA_QUOTA_MB: '3' } });
const megabyte = sized(samples.pdf, 1_048_576);

describe('the media quota of a workspace', () => {
  it('refuses uploads beyond it with 413, also of several at once, and keeps none of their bytes', async () => {
    const workspace = await majlis.workspace();
    const answers = await Promise.all(Array.from({ length: 6 }, () => uploadFile(majlis, workspace, megabyte)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      const { code, detail } = assertRefused(refused, 413);
      assert.equal(code, 'content_too_large');
      assert.match(detail!, /3 MB in all/);
    }
    const files = await readdir(path.join(majlis.data_dir, 'media', parseId('workspace', workspace.id)!));
    assert.equal(files.length, 3);
    assert.equal((await uploadFile(majlis, await majlis.workspace(), megabyte)).status, 201);
  });

  it('refuses no file of a customer', async () => {
    const workspace = await majlis.workspace();
    for (let n = 0; n < 3; n++) await uploadFile(majlis, workspace, megabyte);
    const id = await addPlatformFile(majlis, workspace, samples.pdf, { type: 'application/pdf' });
    const { id: message_id } = await messageReceiver(majlis, workspace)(newDigits(), 'document', { id });
    await eventually(
      async () => (await workspace.api.get(`/messages/${message_id}`)).body.media_id,
      (media_id) => media_id !== undefined,
    );
  });
});
