import { appendFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { isMainThread } from 'node:worker_threads';

// Loaded before a test file. Written at once: no report leaves a process that spins.
const path = process.env.TEST_BEGUN_FILE;
// Threads and forks of a test have its arguments. There, the module of tests would open the report anew and empty it.
const isTest = isMainThread && process.send === undefined;
if (path && isTest) {
  const { beforeEach } = await import('node:test');
  beforeEach((t) => appendFileSync(path, `${(t as TestContext).fullName.replaceAll(' > ', ' › ')}\n`));
}
