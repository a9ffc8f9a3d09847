import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { globalSetup, globalTeardown } from '../testing/src/global-setup.ts';
import { serverConnection } from '../testing/src/test-database.ts';
import { copyTree } from './copy-tree.ts';
import type { Fault } from './fault.ts';
import { findEntryFault, plant, readList } from './read-list.ts';
import { runTest } from './run-test.ts';

// Plants each fault of the list alone, in a copy of the repository, and runs the tests that should notice it.
// --check: only whether each fault can still be planted. --only: one module. --find: faults whose text has this part.
// --trust: the tests are known to pass without a fault.
const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { only: text, find: text, check: flag, trust: flag } });
// A faulty service may wait for ever.
const mostMs = 180_000;
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
await globalSetup();
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
  await globalTeardown();
}

/** A test that fails without a fault would notice everything. */
async function requirePasses(tests: string[]): Promise<void> {
  for (const test of tests) {
    const verdict = await runTest(test, copy, environment(), mostMs);
    await dropDatabases();
    if (verdict === 'passed') continue;
    print(`${test} ${verdict} without a fault`);
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
      const verdict = await runTest(test, copy, environment(fault), mostMs);
      await dropDatabases();
      if (verdict !== 'passed') return `${test} ${verdict}`;
    }
    return undefined;
  } finally {
    writeFileSync(file, text);
  }
}

/** A fault in a migration needs a template of its own. */
function environment(fault?: Fault): NodeJS.ProcessEnv {
  return {
    ...process.env,
    TEST_PATIENCE_MS: patienceMs,
    TEST_RUN: fault?.file.endsWith('.sql') ? fault.replace : 'mutants',
  };
}

/** Each test file makes databases of its own, and leaves them to the end of the server. */
async function dropDatabases(): Promise<void> {
  const admin = new pg.Client({ ...serverConnection(), database: 'postgres' });
  await admin.connect();
  const { rows } = await admin.query(
    `select datname from pg_database where datname like 'majlis_test_%' and datname <> 'majlis_test_template'`,
  );
  for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`);
  await admin.end();
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
