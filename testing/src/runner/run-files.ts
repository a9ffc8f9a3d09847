import { AsyncResource } from 'node:async_hooks';
import path from 'node:path';
import { after, describe, mock } from 'node:test';
import { undoFile } from '../cleanup.ts';

// Runs test files one after the other in this process, each as a suite that is named by its path: `run-files.ts FILE…`.
// What one file has loaded and compiled serves the next.
const root = new AsyncResource('test files');
const endless_ms = 2 ** 31 - 1;

function run([file = '', ...rest]: string[]): void {
  describe(file, { timeout: endless_ms }, async () => {
    await import(path.resolve(file));
    after(undoFile);
    // The last hook of the file. A suite that is made in it would belong to it.
    after(() => {
      mock.reset();
      root.runInAsyncScope(() => rest.length > 0 && run(rest));
    });
  });
}

run(process.argv.slice(2));
