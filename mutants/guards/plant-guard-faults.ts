import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { seededRandom } from '../../testing/src/seeded-random.ts';
import type { Fault } from '../fault.ts';
import type { MutantRun } from '../mutant-run.ts';
import { findEntryFault, readList } from '../read-list.ts';
import { countRun, coverTests, runsPlace } from './covered-tests.ts';
import { findGuardFaults, type GuardFault } from './find-guard-faults.ts';
import { knownUnnoticed } from './known-unnoticed.ts';

/** Where the guards stand: people with their sessions, the live stream, the console of the server. */
const folders = ['server/src/people', 'server/src/live', 'server/src/console'];
/** The modules of `list/` whose tests are tried. */
const listed = ['people', 'live', 'inbox', 'console'];

interface GuardOptions {
  /** Faults of this file alone. */
  file?: string | undefined;
  /** Only so many of them, drawn with the seed. */
  sample?: string | undefined;
  seed?: string | undefined;
  /** A file of outcomes. Faults that it names are not planted again. */
  results?: string | undefined;
  /** The most tests for a fault, the likeliest first. */
  most?: string | undefined;
  find?: string | undefined;
}

interface PlacedFault extends GuardFault {
  file: string;
  /** The fault in words, with its place. */
  name: string;
}

interface Outcome {
  name: string;
  kind: string;
  folder: string;
  noticed: string | null;
}

/**
 * Plants a fault in each guard, and answers whether 95 % of them are noticed, but for those that are known with their reason. A test
 * is tried where it runs the place and passes without a fault.
 */
export async function plantGuardFaults(
  run: MutantRun,
  { file, sample, seed, results, most = '6', find }: GuardOptions,
  print: (text: string) => void,
): Promise<boolean> {
  const sources = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { exclude: ['**/*.test.ts'] },
  ).sort();
  const all = sources.filter((one) => !file || one === file).flatMap(faultsOf);
  const wanted = draw(all, sample, seed, print).filter(({ name }) => !find || name.includes(find));
  const known = new Map(readOutcomes(results).map((outcome) => [outcome.name, outcome]));
  const left = wanted.filter(({ name }) => !known.has(name));
  const likely = await readLikelyTests();
  const candidates = [
    ...new Set([...[...likely.values()].flat(), ...left.flatMap(({ file }) => testsByName(file)), ...testsOfPeople()]),
  ];
  const covered = left.length === 0 ? [] : await coverTests(run, candidates.sort(), sources, print);
  print(`${wanted.length} of ${all.length} faults in ${sources.length} files, ${left.length} to plant`);

  /** How many faults of the file the test has noticed so far: it is the likeliest to notice the next. */
  const countNoticed = (test: string, file: string) =>
    [...known.values()].filter(({ name, noticed }) => name.startsWith(`${file}:`) && noticed?.startsWith(`${test}:`))
      .length;

  for (const fault of left) {
    const named = new Set([...(likely.get(fault.file) ?? []), ...testsByName(fault.file)]);
    const tests = covered
      .filter((test) => runsPlace(test, fault.file, fault.place))
      .sort(
        (a, b) =>
          countNoticed(b.test, fault.file) - countNoticed(a.test, fault.file) ||
          Number(named.has(b.test)) - Number(named.has(a.test)) ||
          countRun(b, fault.file) - countRun(a, fault.file) ||
          a.seconds - b.seconds,
      )
      .slice(0, Number(most))
      .map(({ test }) => test);
    const began = performance.now();
    const noticed = tests.length === 0 ? undefined : await run.findNotice(entryOf(fault, tests));
    const outcome: Outcome = {
      name: fault.name,
      kind: fault.kind,
      folder: folders.find((folder) => fault.file.startsWith(folder))!,
      noticed: noticed ?? null,
    };
    known.set(fault.name, outcome);
    if (results) appendFileSync(results, `${JSON.stringify(outcome)}\n`);
    const seconds = Math.round((performance.now() - began) / 1000);
    const by = noticed ?? (tests.length === 0 ? 'no test runs it' : `tried ${tests.join(', ')}`);
    print(`${noticed ? 'noticed' : 'UNNOTICED'} in ${seconds} s: ${fault.name}\n    ${by}`);
  }
  return judge(
    wanted.map(({ name }) => known.get(name)!),
    print,
  );
}

function faultsOf(file: string): PlacedFault[] {
  const text = readFileSync(file, 'utf8');
  return findGuardFaults(text).map((fault) => {
    const line = text.slice(0, fault.start).split('\n').length;
    const change = `${shorten(text.slice(fault.start, fault.end))} → ${shorten(fault.replace)}`;
    return { ...fault, file, name: `${file}:${line}: ${fault.kind}: ${change}` };
  });
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}

/** As an entry of the list: with as much of its surroundings as makes the text single. */
function entryOf({ file, start, end, replace, name }: PlacedFault, tests: readonly string[]): Fault {
  const text = readFileSync(file, 'utf8');
  let [from, to] = [start, end];
  while (text.split(text.slice(from, to)).length > 2) {
    from = Math.max(0, text.lastIndexOf('\n', from - 2) + 1);
    const next = text.indexOf('\n', to + 1);
    to = next < 0 ? text.length : next;
  }
  const entry = {
    file,
    find: text.slice(from, to),
    replace: text.slice(from, start) + replace + text.slice(end, to),
    breaks: name,
    tests,
  };
  const reason = findEntryFault(entry);
  if (reason) throw new Error(`${name} ${reason}`);
  return entry;
}

function draw(
  faults: readonly PlacedFault[],
  sample: string | undefined,
  seed: string | undefined,
  print: (text: string) => void,
): PlacedFault[] {
  if (sample === undefined) return [...faults];
  const random = seededRandom(seed === undefined ? undefined : Number(seed));
  print(`seed ${random.seed}`);
  return faults
    .map((fault) => ({ fault, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, Number(sample))
    .map(({ fault }) => fault);
}

/** The tests that notice other faults of a file. */
async function readLikelyTests(): Promise<Map<string, string[]>> {
  const tests = new Map<string, string[]>();
  for (const name of listed) {
    for (const fault of (await readList(name)).get(name)!) {
      if (!fault.file.startsWith('server/')) continue;
      tests.set(fault.file, [...(tests.get(fault.file) ?? []), ...fault.tests]);
    }
  }
  return tests;
}

/** The tests whose name begins as that of the file, such as `board.test.ts` for `board-routes.ts`. */
function testsByName(file: string): string[] {
  const stem = basename(file, '.ts').replace(/-routes$/, '');
  return globSync([`server/test/${stem}{,s,-*}.test.ts`, `${dirname(file)}/${stem}.test.ts`]);
}

/** The tests in which somebody signs in: they pass the guards of many operations. */
function testsOfPeople(): string[] {
  return globSync('server/test/*.test.ts').filter((test) =>
    readFileSync(test, 'utf8').includes("'@majlis/testing/people'"),
  );
}

function readOutcomes(file: string | undefined): Outcome[] {
  if (!file || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

function judge(outcomes: readonly Outcome[], print: (text: string) => void): boolean {
  print('\n| guards of | kind | planted | noticed | known |\n| --- | --- | --- | --- | --- |');
  const isKnown = ({ name, noticed }: Outcome) =>
    noticed === null && knownUnnoticed.some(({ fault }) => name.includes(fault));
  for (const [row, planted] of Map.groupBy(outcomes, ({ folder, kind }) => `\`${folder}\` | ${kind}`)) {
    const noticed = planted.filter((one) => one.noticed !== null).length;
    print(`| ${row} | ${planted.length} | ${noticed} | ${planted.filter(isKnown).length} |`);
  }
  const noticed = outcomes.filter((one) => one.noticed !== null).length;
  print(`| all | | ${outcomes.length} | ${noticed} | ${outcomes.filter(isKnown).length} |`);
  const missed = outcomes.filter((one) => one.noticed === null && !isKnown(one));
  if (missed.length > 0)
    print(`\nUnnoticed, and no reason is known:\n${missed.map(({ name }) => `- ${name}`).join('\n')}`);
  return missed.length <= outcomes.length * 0.05;
}
