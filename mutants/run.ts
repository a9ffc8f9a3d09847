import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dropDatabases } from '../testing/src/runner/drop-databases.ts';
import { openRun } from '../testing/src/runner/open-run.ts';
import { startUnit, unitOf } from '../testing/src/runner/run-unit.ts';
import { copyTree } from './copy-tree.ts';
import type { Fault } from './fault.ts';
import { findEntryFault, plant, readList } from './read-list.ts';

// Plants each fault of the list alone, in a copy of the repository, and runs the tests that should notice it.
// --check: only whether each fault can still be planted. --only: one module. --find: faults whose text has this part.
// --trust: the tests are known to pass without a fault.
const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { only: text, find: text, check: flag, trust: flag } });
// A faulty service may wait for ever.
const limits = { limit_ms: 180_000, test_limit_ms: 120_000 };
// What never comes is not awaited for as long as in a test run.
const patienceMs = '20000';

const modules = await readList(values.only);
const entries = [...modules].flatMap(([module, faults]) => faults.map((fault) => ({ module, fault })));
const stale = entries.flatMap(({ fault }) => {
  const reason = findEntryFault(fault);
  return reason ? [`${fault.file}: "${fault.find}" ${reason}`] : [];
});
for (const line of stale) process.stderr.write(`mutants/list: ${line}\n`);
if (stale.length > 0)
  process.stderr.write('Each fault must fit the code: give it the text that keeps its promise now.\n');
if (stale.length > 0 || entries.length === 0) process.exit(1);
if (values.check) process.exit(0);

// A server of its own: the databases of other runs are not dropped with its own.
delete process.env.TEST_DATABASE_URL;
const testRun = await openRun();
const copy = copyTree();
try {
  const chosen = entries.filter(({ fault }) => !values.find || JSON.stringify(fault).includes(values.find));
  if (!values.trust) await requirePasses([...new Set(chosen.flatMap(({ fault }) => fault.tests))]);
  const unnoticed: { module: string; fault: Fault }[] = [];
  for (const { module, fault } of chosen) {
    const began = performance.now();
    const noticed = await findNotice(fault);
    const seconds = Math.round((performance.now() - began) / 1000);
    print(`${noticed ? 'noticed' : 'UNNOTICED'} in ${seconds} s: ${fault.breaks}\n    ${fault.file}: ${noticed ?? ''}`);
    if (!noticed) unnoticed.push({ module, fault });
  }
  printTable(chosen, unnoticed);
  if (unnoticed.length > 0) process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
  await testRun.close();
}

/** A test that fails without a fault would notice everything. */
async function requirePasses(tests: string[]): Promise<void> {
  for (const test of tests) {
    const verdict = await runTest(test);
    if (verdict === 'passed') continue;
    print(`${test}: ${verdict} fails without a fault`);
    process.exitCode = 2;
  }
  if (process.exitCode === 2) throw new Error('the tests must pass before faults are planted');
}

/** The test that noticed it, and by what. */
async function findNotice(fault: Fault): Promise<string | undefined> {
  const file = join(copy, fault.file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, plant(text, fault));
  try {
    for (const test of fault.tests) {
      const verdict = await runTest(test);
      if (verdict !== 'passed') return `${test}: ${verdict}`;
    }
    return undefined;
  } finally {
    writeFileSync(file, text);
  }
}

/** Runs a test file of the copy until its first failure: `passed`, or the test that failed. */
async function runTest(test: string): Promise<string> {
  const unit = { ...unitOf(test, limits), cwd: copy, env: { TEST_PATIENCE_MS: patienceMs } };
  const { failures } = await (await startUnit(testRun, unit, { until_failure: true })).result;
  // Each test file makes databases of its own, and leaves them to the end of the server.
  const prefix = `majlis_test_${testRun.env.TEST_RUN}_`;
  await dropDatabases(JSON.parse(testRun.env.TEST_DATABASE!), prefix, `${prefix}template`);
  return failures.length === 0 ? 'passed' : failures[0]!.test;
}

function printTable(chosen: typeof entries, unnoticed: typeof entries): void {
  print('\n| module | planted | noticed | unnoticed |\n| --- | --- | --- | --- |');
  for (const [module, planted] of Map.groupBy(chosen, (entry) => entry.module)) {
    const missed = unnoticed.filter((entry) => entry.module === module);
    const names = missed.map(({ fault }) => fault.breaks).join('; ');
    print(`| \`${module}\` | ${planted.length} | ${planted.length - missed.length} | ${names} |`);
  }
  print(`| all | ${chosen.length} | ${chosen.length - unnoticed.length} | |`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
