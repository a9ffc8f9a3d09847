import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { unitOf } from './run-unit.ts';
import { runUnits } from './run-units.ts';

// Runs a suite, or the named files alone: `run-tests.ts SUITE [FILE…]`. --stress: two busy processes beside it.
// --limit: the seconds of a file; --test-limit: the seconds of a test; --together: the files that share a process, by default one
// where files are named. A whole suite tries each file in one language of the console,
// in turns, where the file does not insist on both; named files, and all with --languages, are tried in both.
interface Suite {
  patterns: string[];
  /** The seconds of a file and of a test: several times what the slowest takes on two quiet cores. */
  limit: number;
  test_limit: number;
  /** The files that share a process, one after the other, in a whole run. */
  together: number;
}

const suites: Record<string, Suite> = {
  test: {
    patterns: [
      '{contract,console,simulator,server}/src/**/*.test.ts',
      '{simulator,sdk,server,testing}/test/*.test.ts',
      'server/test/process/*.test.ts',
      'mutants/**/*.test.ts',
    ],
    limit: 420,
    test_limit: 180,
    together: 6,
  },
  servers: {
    patterns: ['{sdk,server}/test/servers/*.test.ts', 'server/test/faults/*.test.ts'],
    limit: 600,
    test_limit: 300,
    together: 1,
  },
  browser: { patterns: ['{simulator,server}/test/browser/*.test.ts'], limit: 900, test_limit: 300, together: 4 },
};
// Two cores, and one more for the waits of the others.
const concurrency = 3;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    stress: { type: 'boolean', default: false },
    languages: { type: 'boolean', default: false },
    limit: { type: 'string' },
    'test-limit': { type: 'string' },
    together: { type: 'string' },
  },
});
const [name = '', ...named] = positionals;
const suite = suites[name];
if (!suite) throw new Error(`no suite is called "${name}": ${Object.keys(suites).join(', ')}`);
const limits = {
  limit_ms: Number(values.limit ?? suite.limit) * 1000,
  test_limit_ms: Number(values['test-limit'] ?? suite.test_limit) * 1000,
};
const files = globSync(named.length > 0 ? named : suite.patterns, {
  exclude: (path) => path === 'node_modules',
}).sort();
if (files.length === 0) throw new Error(`no file is called ${named.join(', ')}`);

const together = Number(values.together ?? (named.length > 0 ? 1 : suite.together));
const isInTurns = named.length === 0 && !values.languages;

/** A new process costs as much as a small file. A file that measures its process says that it is alone. */
function group(all: string[], together: number): string[][] {
  const isAlone = (file: string) => readFileSync(file, 'utf8').includes('\n// Alone in its process');
  const groups: string[][] = [];
  let open: string[] = [];
  for (const file of all) {
    if (isAlone(file)) groups.push([file]);
    else if (open.push(file) === 1) groups.push(open);
    if (open.length === together) open = [];
  }
  return groups;
}

process.exitCode = await runUnits(
  name,
  group(files, together).map((some, n) =>
    unitOf(some, { ...limits, ...(isInTurns && { env: { TEST_LANGUAGE: n % 2 === 0 ? 'en' : 'ar' } }) }),
  ),
  {
    concurrency,
    beside({ folder }) {
      if (!values.stress) return;
      // Marked as processes of the run, they end with it.
      const env = { ...process.env, TMPDIR: folder };
      for (let n = 0; n < 2; n++) spawn(process.execPath, ['-e', 'for (;;);'], { env, stdio: 'ignore' }).unref();
    },
  },
);
