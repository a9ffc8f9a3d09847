import type { StepReport } from './step-report.ts';
import type { UnitResult } from './unit.ts';

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** A line for each unit as it ends; what a failed one wrote follows. */
export function printUnit({ name, passed, failures, seconds, output }: UnitResult, shows_output = false): void {
  if (shows_output) print(output.trimEnd());
  const mark = failures.length === 0 ? '✔' : '✖';
  print(
    `${mark} ${name} (${passed} passed${failures.length > 0 ? `, ${failures.length} failed` : ''}, ${seconds.toFixed(1)} s)`,
  );
  if (failures.length === 0) return;
  for (const failure of failures) print(`  ✖ ${failure.test}\n${indent(failure.error, 40)}`);
  if (output.trim() && !shows_output)
    print(`  its output:\n${indent(output.trim().split('\n').slice(-100).join('\n'), 100)}`);
}

/** Every failure in few lines, for the end of a log. */
export function printFailures({ results, flaky }: StepReport, lines = 6): void {
  for (const { name, failures } of results) {
    for (const { test, error } of failures) print(`failed: ${name}: ${test}\n${indent(error, lines)}`);
  }
  for (const { name, failures } of flaky) {
    for (const { test, error } of failures) print(`flaky: ${name}: ${test}: ${error.split('\n')[0]}`);
  }
}

export function printSummary({ name, seconds, results, flaky }: StepReport): void {
  const { passed, failed, skipped } = count(results);
  print('slowest:');
  for (const result of findSlowest(results)) print(`  ${result.seconds.toFixed(1)} s ${result.name}`);
  const notes = [skipped > 0 && `${skipped} skipped`, flaky.length > 0 && `${flaky.length} flaky files`].filter(
    Boolean,
  );
  print(`${name}: ${[`${passed} passed`, `${failed} failed`, ...notes].join(', ')} in ${Math.round(seconds)} s`);
}

export function count(results: UnitResult[]): { passed: number; failed: number; skipped: number } {
  const sum = (of: (result: UnitResult) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    passed: sum((one) => one.passed),
    failed: sum((one) => one.failures.length),
    skipped: sum((one) => one.skipped),
  };
}

export function findSlowest(results: UnitResult[]): UnitResult[] {
  return results.toSorted((one, other) => other.seconds - one.seconds).slice(0, 5);
}

function indent(text: string, most_lines: number): string {
  const lines = text.split('\n');
  const shown = lines.length > most_lines ? [...lines.slice(0, most_lines), '…'] : lines;
  return shown.map((line) => `    ${line.slice(0, 400)}`).join('\n');
}
