import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { unitOf } from './run-unit.ts';
import { runUnits } from './run-units.ts';

// Runs a suite, or the named files alone: `run-tests.ts SUITE [FILE…]`. --stress: two busy processes beside it.
// --limit: the seconds of a file; --test-limit: the seconds of a test.
const suites: Record<string, string[]> = {
  test: [
    '{contract,console,simulator,server}/src/**/*.test.ts',
    '{simulator,sdk,server,testing}/test/*.test.ts',
    'server/test/process/*.test.ts',
  ],
  servers: ['{sdk,server}/test/servers/*.test.ts', 'server/test/faults/*.test.ts'],
  browser: ['{simulator,server}/test/browser/*.test.ts'],
};
// Two cores, and one more for the waits of the others.
const concurrency = 3;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    stress: { type: 'boolean', default: false },
    limit: { type: 'string', default: '420' },
    'test-limit': { type: 'string', default: '180' },
  },
});
const [suite = '', ...named] = positionals;
const limits = { limit_ms: Number(values.limit) * 1000, test_limit_ms: Number(values['test-limit']) * 1000 };
const patterns = suites[suite];
if (!patterns) throw new Error(`no suite is called "${suite}": ${Object.keys(suites).join(', ')}`);
const files = globSync(named.length > 0 ? named : patterns, { exclude: (name) => name === 'node_modules' }).sort();
if (files.length === 0) throw new Error(`no file is called ${named.join(', ')}`);

process.exitCode = await runUnits(
  suite,
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
