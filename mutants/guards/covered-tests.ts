import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MutantRun } from '../mutant-run.ts';

type Range = [start: number, end: number, count: number];

/** A test file that passes without a fault. */
export interface CoveredTest {
  test: string;
  seconds: number;
  /** The ranges of each source file in each process, with how often they ran. The last one that holds a place is the inner one. */
  ranges: Record<string, Range[][]>;
}

const cacheFolder = 'node_modules/.cache/majlis-mutants';

/**
 * Runs the test files without a fault, and tells which places of the sources each of them runs. What was found is kept until a
 * source or the test changes. A test that fails notices everything, so it is left out, and named.
 */
export async function coverTests(
  run: MutantRun,
  tests: readonly string[],
  sources: readonly string[],
  print: (text: string) => void,
): Promise<CoveredTest[]> {
  const ofSources = createHash('sha256');
  for (const file of sources) ofSources.update(readFileSync(file));
  const state = ofSources.digest('hex');
  const covered: CoveredTest[] = [];
  mkdirSync(cacheFolder, { recursive: true });
  for (const test of tests) {
    const key = createHash('sha256').update(state).update(test).update(readFileSync(test)).digest('hex');
    const kept = join(cacheFolder, `${key}.json`);
    if (existsSync(kept)) {
      covered.push(JSON.parse(readFileSync(kept, 'utf8')));
      continue;
    }
    const found = await coverTest(run, test, sources);
    if (typeof found === 'string') print(`${test}: ${found} fails without a fault, so the file notices nothing`);
    else {
      covered.push(found);
      writeFileSync(kept, JSON.stringify(found));
    }
  }
  return covered;
}

/** The test that failed, in words, or what the file runs. */
async function coverTest(run: MutantRun, test: string, sources: readonly string[]): Promise<CoveredTest | string> {
  const folder = mkdtempSync(join(tmpdir(), 'majlis-coverage-'));
  try {
    const began = performance.now();
    const verdict = await run.runTest(test, { NODE_V8_COVERAGE: folder });
    if (verdict !== 'passed') return verdict;
    const seconds = Math.round(performance.now() - began) / 1000;
    const ranges: CoveredTest['ranges'] = {};
    const fileOf = new Map(sources.map((file) => [pathToFileURL(join(run.copy, file)).href, file]));
    for (const report of globSync(join(folder, '*.json'))) {
      const { result }: { result: Script[] } = JSON.parse(readFileSync(report, 'utf8'));
      for (const { url, functions } of result) {
        const file = fileOf.get(url);
        if (!file) continue;
        const all = functions.flatMap((one) => one.ranges);
        const found = all.map(({ startOffset, endOffset, count }): Range => [startOffset, endOffset, count]);
        ranges[file] = [...(ranges[file] ?? []), found.sort((a, b) => a[0] - b[0] || b[1] - a[1])];
      }
    }
    return { test, seconds, ranges };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As V8 reports it. */
interface Script {
  url: string;
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

/** Whether the test runs the place. The types are stripped in their places, so a place is the same in source and program. */
export function runsPlace({ ranges }: CoveredTest, file: string, place: number): boolean {
  const processes = ranges[file] ?? [];
  return processes.some((all) => (all.findLast(([start, end]) => start <= place && place < end)?.[2] ?? 0) > 0);
}

/** How much of a file the test runs, in places of V8's report: who runs more of it looks at it more closely. */
export function countRun({ ranges }: CoveredTest, file: string): number {
  return Math.max(0, ...(ranges[file] ?? []).map((all) => all.filter(([, , count]) => count > 0).length));
}
