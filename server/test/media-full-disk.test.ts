import assert from 'node:assert/strict';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { downloadFile, samples, sized, uploadFile } from '@majlis/testing/media';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const stored = () => majlis.sql('select from media');
const bytes = sized(samples.pdf, 3_000_000);

const handle = await open(import.meta.filename);
const files = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();

/** As of a disk that takes `calls` more of these calls of the file system, and then has no room. */
function fill(t: TestContext, step: 'write' | 'sync', calls: number): { empty(): void } {
  const real = files[step] as (...args: unknown[]) => Promise<unknown>;
  let left = calls;
  const { mock } = t.mock.method(files, step, function (this: FileHandle, ...args: unknown[]) {
    if (left-- > 0) return real.apply(this, args);
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: step });
  });
  return { empty: () => mock.restore() };
}

describe('an upload to a disk that is full', () => {
  for (const [what, step, calls] of [
    ['from its first byte', 'write', 0],
    ['in the middle of it', 'write', 5],
    ['when its bytes are to be safe', 'sync', 0],
    ['when its name is to be safe', 'sync', 1],
  ] as const) {
    it(`is answered 503 and leaves nothing on its way in, and the next one is stored: ${what}`, async (t) => {
      const before = (await stored()).length;
      const disk = fill(t, step, calls);
      const refused = await uploadFile(majlis, workspace, bytes);
      disk.empty();
      assert.equal(assertRefused(refused, 503).code, 'service_unavailable');
      assert.equal(refused.headers.get('retry-after'), '5');
      assert.deepEqual(await readdir(path.join(majlis.data_dir, 'media', 'incoming')), []);
      assert.equal((await stored()).length, before);

      const { status, body } = await uploadFile(majlis, workspace, bytes);
      assert.equal(status, 201);
      assert.deepEqual((await downloadFile(majlis, workspace, body.id)).bytes, bytes);
    });
  }
});
