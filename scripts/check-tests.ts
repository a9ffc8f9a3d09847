import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

// A test ends also when it fails: what goes on by itself, or waits, has an end of its own.
const rules: { pattern: RegExp; instead: string }[] = [
  { pattern: /\bsetInterval\(/, instead: 'use drip(), which ends with the test' },
  { pattern: /\bwhile \(true\)|\bfor \(;;\)/, instead: 'use eventually() or repeatUntil(), which give up' },
  {
    pattern: /\bawait once\((?!.*signal:)|(?<!within\()\bonce\([\w.]+, '\w+'\)/,
    instead: 'use onceWithin(), or once() with a signal',
  },
  {
    pattern: /import \{(?:[^}]*,)? after\b[^}]*\} from 'node:test'|\b(?:t|test|context)\.after\(/,
    instead: 'use cleanUp()',
  },
];

/** Each with its reason. */
const allowed: Record<string, string> = {
  'testing/src/cleanup.ts': 'registers the hooks',
  'testing/src/drip.ts': 'ends its interval',
  'testing/src/eventually.ts': 'gives up after its time',
  'testing/test/runner.test.ts': 'plants files that never end',
  'server/test/process/hang-on-stop.ts': 'a program that tests kill',
  'server/test/process/hold-database.ts': 'a program that tests kill',
  'server/test/process/stranger.ts': 'a program that tests kill',
};

const files = globSync(['**/*.test.ts', 'testing/src/**/*.ts', '{server,simulator,sdk}/test/**/*.ts'], {
  exclude: (name) => name === 'node_modules' || name === 'dist',
});
let faults = 0;
for (const file of [...new Set(files)].sort()) {
  if (Object.hasOwn(allowed, file) || isOfRunner(file)) continue;
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const { pattern, instead } of rules) {
      if (!pattern.test(line)) continue;
      process.stderr.write(`${file}:${index + 1}: ${instead}: ${line.trim()}\n`);
      faults++;
    }
  }
}
if (faults > 0) process.exit(1);

/** The runner stands outside of the tests that it ends. */
function isOfRunner(file: string): boolean {
  return dirname(file) === 'testing/src/runner';
}
