import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dropDatabases } from '../testing/src/runner/drop-databases.ts';
import { openRun } from '../testing/src/runner/open-run.ts';
import { startUnit, unitOf } from '../testing/src/runner/run-unit.ts';
import { copyTree } from './copy-tree.ts';
import type { Fault } from './fault.ts';
import { plant } from './read-list.ts';

// A faulty service may wait for ever.
const limits = { limit_ms: 180_000, test_limit_ms: 120_000 };
// What never comes is not awaited for as long as in a test run.
const patienceMs = '20000';

/** A copy of the repository in which faults are planted, with a database server of its own. */
export interface MutantRun {
  /** The folder of the copy. */
  copy: string;
  /** Runs a test file of the copy until its first failure: `passed`, or the test that failed. */
  runTest(test: string, env?: Record<string, string>): Promise<string>;
  /** The test that noticed the fault, and by what, or the linter's rule that a promise is awaited. Undefined where none did. */
  findNotice(fault: Fault): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Only then can the static check of promises notice more than without the fault. */
function isAwaitDropped({ find, replace }: Fault): boolean {
  const count = (text: string) => text.split('await ').length;
  return count(replace) < count(find);
}

export async function openMutantRun(): Promise<MutantRun> {
  // A server of its own: the databases of other runs are not dropped with its own.
  delete process.env.TEST_DATABASE_URL;
  const testRun = await openRun();
  const copy = copyTree();

  async function runTest(test: string, env: Record<string, string> = {}): Promise<string> {
    const unit = { ...unitOf([test], limits), cwd: copy, env: { TEST_PATIENCE_MS: patienceMs, ...env } };
    const [result] = await (await startUnit(testRun, unit, { until_failure: true })).results;
    const { failures } = result!;
    // Each test file makes databases of its own, and leaves them to the end of the server.
    const prefix = `majlis_test_${testRun.env.TEST_RUN}_`;
    await dropDatabases(JSON.parse(testRun.env.TEST_DATABASE!), prefix, `${prefix}template`);
    return failures.length === 0 ? 'passed' : failures[0]!.test;
  }

  async function findNotice(fault: Fault): Promise<string | undefined> {
    const file = join(copy, fault.file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, plant(text, fault));
    try {
      // The check takes as long as one test file, and notices most of the dropped awaits.
      const rule = isAwaitDropped(fault) ? await lint(fault.file) : undefined;
      if (rule) return rule;
      for (const test of fault.tests) {
        const verdict = await runTest(test);
        if (verdict !== 'passed') return `${test}: ${verdict}`;
      }
      return undefined;
    } finally {
      writeFileSync(file, text);
    }
  }

  /** A dropped `await` fails the static checks. */
  async function lint(file: string): Promise<string | undefined> {
    const rule = 'nursery/noFloatingPromises';
    const ended = await promisify(execFile)('biome', ['lint', `--only=${rule}`, file], { cwd: copy }).catch((e) => e);
    return ended.code && `${ended.stdout}${ended.stderr}`.includes(rule) ? `biome: ${rule}` : undefined;
  }

  return {
    copy,
    runTest,
    findNotice,
    async close() {
      rmSync(copy, { recursive: true, force: true });
      await testRun.close();
    },
  };
}
