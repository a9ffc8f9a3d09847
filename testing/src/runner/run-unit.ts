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
  unit: Unit;
  result: Promise<UnitResult>;
  begun(): Promise<string[]>;
  /** The last lines that it wrote beside its tests' results. */
  lastLines(): Promise<string>;
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const mostOutput = 8_000;

/**
 * Runs a unit to its end, or to its limit. What it started is ended with it, and its temporary files go.
 * `until_failure` ends it at the first failed test.
 */
export async function startUnit(run: Run, unit: Unit, { until_failure = false } = {}): Promise<RunningUnit> {
  const folder = await run.temporaryFolder();
  const paths = { report: `${folder}.report`, begun: `${folder}.begun`, output: `${folder}.output` };
  const from = performance.now();
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
  const report = async () => readLines<ReportLine>(await readText(paths.report));

  async function begun(): Promise<string[]> {
    const over = new Set((await report()).map((line) => 'test' in line && line.test));
    const names = (await readText(paths.begun)).split('\n').filter((name) => name && !over.has(name));
    return [...new Set(names)];
  }

  /** Waits for the end, the limit, or the first failure where that ends it. */
  async function watch(): Promise<Failure[]> {
    const end = from + unit.limit_ms;
    while (!ended && performance.now() < end) {
      const look_ms = until_failure ? 200 : unit.limit_ms;
      const { signal } = waiting;
      await Promise.race([exit, pause(Math.min(look_ms, end - performance.now()), undefined, { signal })]).catch(
        () => {},
      );
      if (until_failure && (await report()).some(({ kind }) => kind === 'failed')) return [];
    }
    if (ended) return [];
    const error = `the process was ended; begun: ${(await begun()).join(', ') || 'no test'}`;
    return [{ test: `(the file's limit of ${Math.round(unit.limit_ms / 1000)} s)`, error }];
  }

  async function finish(): Promise<UnitResult> {
    const failures = await watch();
    if (!ended) killGroup(child.pid!);
    const [code, signal] = await exit;
    await endProcessesIn(folder);
    const lines = await report();
    for (const line of lines) if (line.kind === 'failed') failures.push({ test: line.test, error: line.error });
    const counts = lines.findLast((line) => line.kind === 'counts');
    if (failures.length === 0 && (code !== 0 || !counts)) {
      const error = `the process ended with ${signal ?? `exit code ${code}`}; begun: ${(await begun()).join(', ') || 'no test'}`;
      failures.push({ test: '(the process)', error });
    }
    const text = await readText(paths.output);
    for (const path of [folder, ...Object.values(paths)]) await rm(path, { recursive: true, force: true });
    return {
      name: unit.name,
      passed: counts?.passed ?? lines.filter(({ kind }) => kind === 'passed').length,
      skipped: counts?.skipped ?? 0,
      failures,
      seconds: (performance.now() - from) / 1000,
      output: text.slice(-mostOutput),
    };
  }
  const lastLines = async () => (await readText(paths.output)).trimEnd().split('\n').slice(-8).join('\n');
  return { unit, begun, lastLines, result: finish() };
}

/** A unit of one test file, named by its path. */
export function unitOf(path: string, limits: Pick<Unit, 'limit_ms' | 'test_limit_ms'>): Unit {
  return { name: path, args: [path], ...limits };
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

/** The last line may have been cut by the end of the process. */
function readLines<Line>(text: string): Line[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines.map((line) => JSON.parse(line) as Line);
}
