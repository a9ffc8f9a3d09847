import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { unitOf } from './run-unit.ts';
import { runUnits } from './run-units.ts';

// Runs a suite, or the named files alone: `run-tests.ts SUITE [FILE…]`. --stress: two busy processes beside it.
// --limit: the seconds of a file; --test-limit: the seconds of a test.
interface Suite {
  patterns: string[];
  /** The seconds of a file and of a test: several times what the slowest takes on two quiet cores. */
  limit: number;
  test_limit: number;
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
  },
  servers: {
    patterns: ['{sdk,server}/test/servers/*.test.ts', 'server/test/faults/*.test.ts'],
    limit: 600,
    test_limit: 300,
  },
  browser: { patterns: ['{simulator,server}/test/browser/*.test.ts'], limit: 900, test_limit: 300 },
};
// Two cores, and one more for the waits of the others.
const concurrency = 3;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    stress: { type: 'boolean', default: false },
    limit: { type: 'string' },
    'test-limit': { type: 'string' },
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

process.exitCode = await runUnits(
  name,
  files.map((file) => unitOf(file, limits)),
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
