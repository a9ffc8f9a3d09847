import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { count, findSlowest, printFailures } from './print.ts';
import type { StepReport } from './step-report.ts';

// Closes a run of CI: `report-ci.ts FOLDER`, with the reports of its suites and a line for each step in `steps`.
const folder = process.argv[2]!;
const print = (text: string) => void process.stdout.write(`${text}\n`);
const mostFlaky = 2;
const steps = readFileSync(path.join(folder, 'steps'), 'utf8').trim().split('\n');
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const reports = names.map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as StepReport);
const results = reports.flatMap((report) => report.results);
const flaky = reports.flatMap((report) => report.flaky);

print('');
for (const report of reports) printFailures(report);
print('slowest files:');
for (const { name, seconds } of findSlowest(results)) print(`  ${seconds.toFixed(1)} s ${name}`);
print('step                          result  seconds  passed  failed');
let failedSteps = 0;
for (const step of steps) {
  const [name = '', suite = '', result = '', seconds = ''] = step.split('\t');
  const report = reports.find((one) => one.name === suite);
  const { passed, failed } = count(report?.results ?? []);
  // A step whose tests failed is counted by them.
  if (result !== 'passed' && failed === 0) failedSteps++;
  const counts = report ? `${String(passed).padStart(8)}${String(failed).padStart(8)}` : '';
  print(`${name.padEnd(30)}${result.padEnd(8)}${seconds.padStart(7)}${counts}`);
}
const { passed, failed, skipped } = count(results);
const tooFlaky = flaky.length > mostFlaky ? 1 : 0;
if (flaky.length > 0) print(`${flaky.length} flaky files, ${mostFlaky} are allowed`);
const sum = failed + skipped + failedSteps + tooFlaky + (passed === 0 ? 1 : 0);
print(`${passed} passed, ${sum} failed`);
process.exitCode = sum === 0 ? 0 : 1;
