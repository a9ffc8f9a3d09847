import { appendFileSync } from 'node:fs';
import { beforeEach, type TestContext } from 'node:test';

// Loaded before a test file. Written at once: no report leaves a process that spins.
const path = process.env.TEST_BEGUN_FILE;
if (path) beforeEach((t) => appendFileSync(path, `${(t as TestContext).fullName.replaceAll(' > ', ' › ')}\n`));
