import assert from 'node:assert/strict';
import fs, { type FileHandle, open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it } from 'node:test';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { listen } from '@majlis/testing/listen';
import { samples, uploadFile } from '@majlis/testing/media';
import { startTestService } from '@majlis/testing/start-test-service';

const readiness = async ({ url }: { url: string }) => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: (await response.json()) as object };
};

describe('readiness', () => {
  it('is told while the object storage hangs', async () => {
    const asked = Promise.withResolvers<void>();
    const hanging = createServer(() => asked.resolve());
    const majlis = await startTestService({
      env: {
        ...{ S3_ENDPOINT: await listen(hanging), S3_REGION: 'any', S3_BUCKET: 'media' },
        ...{ S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' },
      },
    });
    const upload = uploadFile(majlis, await majlis.workspace(), samples.png);
    await within(asked.promise, 30_000, 'the storage is asked');
    assert.deepEqual(await readiness(majlis), { status: 200, body: { status: 'ready' } });
    const state = await Promise.race([upload.then(() => 'answered'), 'waits']);
    assert.equal(state, 'waits');
    hanging.closeAllConnections();
    hanging.close();
    assert.equal((await upload).status, 503);
  });

  it('is told while the disk hangs, and says that no files are taken', async (t) => {
    const majlis = await startTestService();
    const workspace = await majlis.workspace();
    const handle = await open(import.meta.filename);
    const files = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const end = Promise.withResolvers<void>();
    const writing = Promise.withResolvers<void>();
    const { write } = files;
    const { statfs } = fs;
    t.mock.method(files, 'write', async function (this: FileHandle, ...args: Parameters<typeof write>) {
      writing.resolve();
      await end.promise;
      return write.apply(this, args);
    });
    t.mock.method(fs, 'statfs', async (folder: string) => {
      await end.promise;
      return statfs(folder);
    });
    syncBuiltinESMExports();
    const upload = uploadFile(majlis, workspace, samples.png);
    await within(writing.promise, 30_000, 'the writing');
    const told = await eventually(
      () => readiness(majlis),
      ({ body }) => 'disk' in body,
    );
    assert.deepEqual(told, { status: 200, body: { status: 'ready', disk: 'it does not answer: no files are taken' } });
    assert.equal((await uploadFile(majlis, workspace, samples.png)).status, 503);
    end.resolve();
    assert.equal((await upload).status, 201);
    t.mock.restoreAll();
    syncBuiltinESMExports();
    await eventually(
      () => readiness(majlis),
      ({ body }) => !('disk' in body),
    );
    assert.equal((await uploadFile(majlis, workspace, samples.png)).status, 201);
  });
});
