import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { startTestService } from '@majlis/testing/start-test-service';
import { tryReceiver } from '@majlis/testing/try-receiver';

const root = path.join(import.meta.dirname, '../../..');

it('the receiver of docs/events.md takes what is genuine, once, and nothing else', async () => {
  await tryReceiver(await startTestService(), process.execPath);
});

// sdk/test runs those of docs/sdk.md, server/test/servers/guides.test.ts those of the guides.
it('is the one program that the other pages show: another one needs its own test on each Node.js', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/guides'] })];
  const showing = pages.filter((page) =>
    /^```(js|javascript|ts|typescript)$/m.test(readFileSync(path.join(root, page), 'utf8')),
  );
  assert.deepEqual(showing.toSorted(), ['docs/events.md', 'docs/sdk.md']);
});
