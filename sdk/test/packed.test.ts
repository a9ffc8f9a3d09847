import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { installPackedClient, tryPrograms } from '@majlis/testing/packed-client';
import { startTestService } from '@majlis/testing/start-test-service';

const folder = await installPackedClient();
const installed = path.join(folder, 'node_modules/@majlis/sdk');
const majlis = await startTestService();

describe('the packed client', () => {
  it('runs the programs of docs/sdk.md in an empty folder, and by require', async () => {
    await tryPrograms(majlis, process.execPath, folder);
  });

  it('is at most 15 kB of compressed JavaScript', () => {
    const sizes = globSync(path.join(installed, 'dist/*.js')).map((file) => gzipSync(readFileSync(file)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(sizes.length > 5 && total <= 15_000, String(total));
  });

  it('has declarations with documentation, and source maps with the sources', () => {
    assert.match(
      readFileSync(path.join(installed, 'dist/api.generated.d.ts'), 'utf8'),
      /Send a message to a recipient/,
    );
    const map = JSON.parse(readFileSync(path.join(installed, 'dist/client.js.map'), 'utf8'));
    assert.match(map.sourcesContent[0], /export class Majlis/);
    const { dependencies, license } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    assert.deepEqual([dependencies, license], [undefined, 'Apache-2.0']);
  });

  it('leaves the working copy on its sources', () => {
    const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    assert.deepEqual(exports, { '.': './src/index.ts', './webhooks': './src/webhooks.ts' });
  });
});
