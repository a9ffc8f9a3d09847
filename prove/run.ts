import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runUnits } from '@majlis/testing/runner/run-units';
import { sections } from './sections.ts';

// Proves the promises on the real service: `npm run prove -- --quick`, or `--only kills --count 300 --seed 7`.
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    count: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const seed = values.seed ?? String(randomInt(2 ** 31));
const wanted = values.only?.split(',') ?? Object.keys(sections);
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) throw new Error(`no section is called ${unknown.join()}: ${Object.keys(sections).join(', ')}`);
// The same count takes seconds in one section and hours in another.
if (values.count !== undefined && wanted.length !== 1) throw new Error('--count needs --only with one section');

const limit_ms = values.quick ? 600_000 : 12 * 3_600_000;
const units = wanted.map((name) => {
  const { quick, full } = sections[name]!;
  const count = values.count ?? String(values.quick ? quick : full);
  const args = ['prove/run-section.ts', name, seed, count, values.quick ? 'quick' : 'full'];
  return { names: [name], args, limit_ms, test_limit_ms: limit_ms };
});
// Quick forms wait much, so two run side by side. Full ones measure alone.
process.exitCode = await runUnits('prove', units, { concurrency: values.quick ? 2 : 1, shows_output: true });
