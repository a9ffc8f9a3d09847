import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';
import { plantGuardFaults } from './guards/plant-guard-faults.ts';
import { openMutantRun } from './mutant-run.ts';
import { findEntryFault, readList } from './read-list.ts';

// Plants each fault of the list alone, in a copy of the repository, and runs the tests that should notice it.
// --check: only whether each fault can still be planted. --only: one module. --find: faults whose text has this part.
// --trust: the tests are known to pass without a fault.
// --only guards: faults that are derived from the source. --file: of one file. --sample, --seed: some of them, drawn.
// --results: a file with the outcomes, by which a run that was stopped goes on. --most: tests for a fault.
const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ only: text, find: text, check: flag, trust: flag },
    ...{ file: text, sample: text, seed: text, results: text, most: text },
  },
});

const modules = await readList(values.only);
const entries = [...modules].flatMap(([module, faults]) => faults.map((fault) => ({ module, fault })));
const stale = entries.flatMap(({ fault }) => {
  const reason = findEntryFault(fault);
  return reason ? [`${fault.file}: "${fault.find}" ${reason}`] : [];
});
for (const line of stale) process.stderr.write(`mutants/list: ${line}\n`);
if (stale.length > 0)
  process.stderr.write('Each fault must fit the code: give it the text that keeps its promise now.\n');
const isGuards = values.only === 'guards';
if (stale.length > 0 || (entries.length === 0 && !isGuards)) process.exit(1);
if (values.check) process.exit(0);

const run = await openMutantRun();
try {
  const isHeld = isGuards ? await plantGuardFaults(run, values, print) : await plantList();
  if (!isHeld) process.exitCode = 1;
} finally {
  await run.close();
}

/** False where nothing noticed one of them. */
async function plantList(): Promise<boolean> {
  const chosen = entries.filter(({ fault }) => !values.find || JSON.stringify(fault).includes(values.find));
  if (!values.trust) await requirePasses([...new Set(chosen.flatMap(({ fault }) => fault.tests))]);
  const unnoticed: { module: string; fault: Fault }[] = [];
  for (const { module, fault } of chosen) {
    const began = performance.now();
    const noticed = await run.findNotice(fault);
    const seconds = Math.round((performance.now() - began) / 1000);
    print(`${noticed ? 'noticed' : 'UNNOTICED'} in ${seconds} s: ${fault.breaks}\n    ${fault.file}: ${noticed ?? ''}`);
    if (!noticed) unnoticed.push({ module, fault });
  }
  printTable(chosen, unnoticed);
  return unnoticed.length === 0;
}

/** A test that fails without a fault would notice everything. */
async function requirePasses(tests: string[]): Promise<void> {
  let hasFailed = false;
  for (const test of tests) {
    const verdict = await run.runTest(test);
    if (verdict === 'passed') continue;
    print(`${test}: ${verdict} fails without a fault`);
    hasFailed = true;
  }
  if (hasFailed) throw new Error('the tests must pass before faults are planted');
}

function printTable(chosen: typeof entries, unnoticed: typeof entries): void {
  print('\n| module | planted | noticed | unnoticed |\n| --- | --- | --- | --- |');
  for (const [module, planted] of Map.groupBy(chosen, (entry) => entry.module)) {
    const missed = unnoticed.filter((entry) => entry.module === module);
    const names = missed.map(({ fault }) => fault.breaks).join('; ');
    print(`| \`${module}\` | ${planted.length} | ${planted.length - missed.length} | ${names} |`);
  }
  print(`| all | ${chosen.length} | ${chosen.length - unnoticed.length} | |`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
