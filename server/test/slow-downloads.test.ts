import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { within } from '@majlis/testing/cleanup';
import { listen } from '@majlis/testing/listen';
import { downloadFile, samples, uploadFile } from '@majlis/testing/media';
import { startTestService } from '@majlis/testing/start-test-service';

/** An object storage that begins the file under the key `slow` and does not end it. */
async function startSlowStorage() {
  const files = new Map<string, Buffer>();
  const storage = { url: '', slow: undefined as string | undefined, last: '' };
  const server = createServer(async (request, response) => {
    const key = request.url!.split('?')[0]!;
    if (request.method === 'PUT') {
      files.set(key, await buffer(request));
      storage.last = key;
      response.end();
      return;
    }
    const bytes = files.get(key)!;
    response.writeHead(200, { 'content-length': bytes.length });
    if (key === storage.slow) response.write(bytes.subarray(0, 1));
    else response.end(bytes);
  });
  storage.url = await listen(server);
  return storage;
}

describe('slow downloads of one workspace', () => {
  it('leave the object storage to the others', async () => {
    const storage = await startSlowStorage();
    const majlis = await startTestService({
      env: {
        ...{ RATE_LIMITS: 'off', S3_ENDPOINT: storage.url, S3_REGION: 'any', S3_BUCKET: 'media' },
        ...{ S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
      },
    });
    const slow = await majlis.workspace();
    const media_id = (await uploadFile(majlis, slow, samples.png)).body.id;
    storage.slow = storage.last;
    const other = await majlis.workspace();
    const cut = new AbortController();
    const headers = { authorization: `Bearer ${slow.key}` };
    const begun = Array.from({ length: 120 }, () =>
      fetch(`${majlis.url}/v1/media/${media_id}`, { headers, signal: cut.signal }),
    );
    const answers = await within(Promise.all(begun), 30_000, 'each slow download has begun');
    assert.ok(answers.every(({ status }) => status === 200));
    const uploaded = await within(uploadFile(majlis, other, samples.pdf), 10_000, 'the upload of the other');
    assert.equal(uploaded.status, 201);
    const { bytes } = await within(downloadFile(majlis, other, uploaded.body.id), 10_000, 'the download of the other');
    assert.deepEqual(bytes, samples.pdf);
    cut.abort();
  });
});
