import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endProcessesIn } from './end-processes.ts';
import type { Run } from './open-run.ts';
import type { ReportLine } from './reporter.ts';
import type { Failure, Unit, UnitResult } from './unit.ts';

/** A process of a run, and the tests that have begun in it and not ended. */
export interface RunningUnit {
  /** Of the names that began. Those behind a process that ended early have none. */
  results: Promise<UnitResult[]>;
  /** The name that is under way. */
  current(): Promise<string>;
  begun(): Promise<string[]>;
  /** The last lines that it wrote beside its tests' results. */
  lastLines(): Promise<string>;
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const mostOutput = 8_000;
const separator = ' › ';

/**
 * Runs a unit to its end, or to its limit. What it started is ended with it, and its temporary files go.
 * `until_failure` ends it at the first failed test.
 */
export async function startUnit(run: Run, unit: Unit, { until_failure = false } = {}): Promise<RunningUnit> {
  const folder = await run.temporaryFolder();
  const paths = { report: `${folder}.report`, begun: `${folder}.begun`, output: `${folder}.output` };
  const from_ms = Date.now();
  const flags = [
    ...['--disable-warning=ExperimentalWarning', '--test-force-exit', `--test-timeout=${unit.test_limit_ms}`],
    ...['--import', file('note-begun.ts'), '--test-reporter', file('reporter.ts')],
    ...['--test-reporter-destination', paths.report],
  ];
  const output = createWriteStream(paths.output);
  await once(output, 'open');
  const child = spawn(process.execPath, [...flags, ...unit.args], {
    cwd: unit.cwd,
    env: { ...run.env, ...unit.env, TMPDIR: folder, TEST_BEGUN_FILE: paths.begun },
    // A file and not a pipe: what outlives the process cannot hold it open.
    stdio: ['ignore', output, output],
    detached: true,
  });
  output.close();
  let ended = false;
  const waiting = new AbortController();
  const exit = once(child, 'exit').finally(() => {
    ended = true;
    waiting.abort();
  });
  const report = async () => readReport(paths.report);

  /** The names that have ended, with the time of each. */
  async function endings(): Promise<Map<string, number>> {
    if (unit.names.length === 1) return new Map();
    const outer = (await report()).filter((line) => line.kind === 'suite').filter(({ test }) => test.length === 1);
    return new Map(outer.map(({ test, at }) => [test[0]!, at]));
  }

  async function current(): Promise<string> {
    const over = await endings();
    return unit.names.find((name) => !over.has(name)) ?? unit.names.at(-1)!;
  }

  async function begun(): Promise<string[]> {
    const over = new Set((await report()).flatMap((line) => ('test' in line ? [line.test.join(separator)] : [])));
    const names = (await readText(paths.begun)).split('\n').filter((name) => name && !over.has(name));
    const prefix = `${await current()}${separator}`;
    return [...new Set(names)].map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  }

  /** Waits for the end, the limit of a name, or the first failure where that ends it. */
  async function watch(): Promise<Failure | undefined> {
    let end = performance.now() + unit.limit_ms;
    let count = 0;
    const look_ms = until_failure ? 200 : unit.names.length > 1 ? 2_000 : unit.limit_ms;
    while (!ended && performance.now() < end) {
      const { signal } = waiting;
      await Promise.race([exit, pause(Math.min(look_ms, end - performance.now()), undefined, { signal })]).catch(
        () => {},
      );
      if (until_failure && (await report()).some(({ kind }) => kind === 'failed')) return;
      const { size } = await endings();
      if (size > count) end = performance.now() + unit.limit_ms;
      count = size;
    }
    if (ended) return;
    const error = `the process was ended; begun: ${(await begun()).join(', ') || 'no test'}`;
    return { test: `(the file's limit of ${Math.round(unit.limit_ms / 1000)} s)`, error };
  }

  async function finish(): Promise<UnitResult[]> {
    let fault = await watch();
    if (!ended) killGroup(child.pid!);
    const [code, signal] = await exit;
    await endProcessesIn(folder);
    const lines = await report();
    const isWhole = lines.some(({ kind }) => kind === 'end');
    if (!fault && (!isWhole || (code !== 0 && !lines.some(({ kind }) => kind === 'failed')))) {
      const error = `the process ended with ${signal ?? `exit code ${code}`}; begun: ${(await begun()).join(', ') || 'no test'}`;
      fault = { test: '(the process)', error };
    }
    const over = await endings();
    const last = await current();
    const output = (await readText(paths.output)).slice(-mostOutput);
    for (const path of [folder, ...Object.values(paths)]) await rm(path, { recursive: true, force: true });
    let before = from_ms;
    return unit.names
      .filter((name) => isWhole || over.has(name) || name === last)
      .map((name) => {
        const end = over.get(name) ?? Date.now();
        const seconds = (end - before) / 1000;
        before = end;
        const result = resultOf(lines, name, unit.names.length > 1);
        // Of a killed unit, the first failure is known. Elsewhere it says why the rest is missing.
        if (fault && name === last && !(until_failure && result.failures.length > 0)) result.failures.push(fault);
        return { ...result, seconds, output };
      });
  }
  const lastLines = async () => (await readText(paths.output)).trimEnd().split('\n').slice(-8).join('\n');
  return { current, begun, lastLines, results: finish() };
}

/** The results of one name. Where there are several, the names are those of the outermost suites. */
function resultOf(
  lines: readonly ReportLine[],
  name: string,
  isOneOfMany: boolean,
): Omit<UnitResult, 'seconds' | 'output'> {
  const failures: Failure[] = [];
  const counts = { passed: 0, skipped: 0 };
  for (const line of lines) {
    if (!('test' in line) || (isOneOfMany && line.test[0] !== name)) continue;
    const test = line.test.slice(isOneOfMany ? 1 : 0).join(separator) || '(the file)';
    if (line.kind === 'failed') failures.push({ test, error: line.error });
    else if (line.kind !== 'suite') counts[line.kind]++;
  }
  return { name, ...counts, failures };
}

/** A unit of test files, named by their paths. Each has a suite of its own where they are several. */
export function unitOf(files: string[], options: Omit<Unit, 'names' | 'args'>): Unit {
  return { ...options, names: files, args: files.length > 1 ? [file('run-files.ts'), ...files] : files };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

async function readReport(path: string): Promise<ReportLine[]> {
  const lines = (await readText(path)).split('\n');
  // The last line may have been cut by the end of the process.
  return lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line));
}
