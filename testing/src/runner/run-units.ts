import { openRun, type Run } from './open-run.ts';
import { printFailures, printSummary, printUnit } from './print.ts';
import { type RunningUnit, startUnit, unitOf } from './run-unit.ts';
import { type StepReport, writeReport } from './step-report.ts';
import type { Unit, UnitResult } from './unit.ts';

export interface RunOptions {
  /** The units that run at a time. */
  concurrency: number;
  /** Whether the output of units that passed is printed too. */
  shows_output?: boolean;
  /** Called as soon as the run is open, for what runs beside it. */
  beside?: (run: Run) => void;
}

// More than these may be one cause, and no chance.
const mostFlaky = 2;

/**
 * Runs the units and prints their results. A unit that failed runs once more, alone, at the end: if it passes then, it
 * counts as flaky. Answers the exit code. SIGTERM and SIGINT end everything, and name what was running.
 */
export async function runUnits(
  name: string,
  units: Unit[],
  { concurrency, shows_output, beside }: RunOptions,
): Promise<number> {
  const run = await openRun();
  const running = new Set<RunningUnit>();
  const waiting = [...units];
  let isEnded = false;
  const from = performance.now();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, async () => {
      isEnded = true;
      waiting.length = 0;
      process.stdout.write(`\n${name}: ended by ${signal} while these were running:\n`);
      for (const { current, begun, lastLines } of running) {
        const tests = (await begun()).join(', ') || 'no test has begun';
        process.stdout.write(`  ${await current()}: ${tests}\n${await lastLines()}\n`);
      }
      await run.close();
      process.exit(1);
    });
  }
  beside?.(run);

  async function runOne(unit: Unit): Promise<UnitResult[]> {
    const one = await startUnit(run, unit);
    running.add(one);
    const results = await one.results;
    running.delete(one);
    if (!isEnded) for (const result of results) printUnit(result, shows_output);
    return results;
  }

  const results: UnitResult[] = [];
  const work = async () => {
    for (let unit = waiting.shift(); unit; unit = waiting.shift()) {
      const ended = await runOne(unit);
      results.push(...ended);
      const left = unit.names.slice(ended.length);
      if (left.length > 0 && !isEnded) waiting.unshift(unitOf(left, unit));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const failed = results.filter(({ failures }) => failures.length > 0);
  const flaky: UnitResult[] = [];
  // Many failures have one cause, which a repetition does not change.
  if (failed.length <= 2 * mostFlaky && !isEnded) {
    for (const first of failed) {
      process.stdout.write(`once more, alone: ${first.name}\n`);
      const unit = units.find(({ names }) => names.includes(first.name))!;
      const [again] = await runOne(unit.names.length > 1 ? unitOf([first.name], unit) : unit);
      if (again!.failures.length > 0) continue;
      flaky.push(first);
      results[results.indexOf(first)] = again!;
    }
  }
  await run.close();
  const seconds = (performance.now() - from) / 1000;
  const report: StepReport = { name, seconds, results, flaky: flaky.length > mostFlaky ? [] : flaky };
  if (flaky.length > mostFlaky) {
    for (const first of flaky) results[results.findIndex((result) => result.name === first.name)] = first;
  }
  await writeReport(report);
  printFailures(report);
  printSummary(report);
  return results.some(({ failures }) => failures.length > 0) ? 1 : 0;
}
