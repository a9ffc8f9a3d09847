import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '@majlis/testing/global-setup';
import { endProcesses } from '@majlis/testing/start-process';
import { proveBounds } from './bounds/prove-bounds.ts';
import { proveClock } from './clock/prove-clock.ts';
import { proveDatabaseFaults } from './database-faults.ts';
import { proveFuzz } from './fuzz/prove-fuzz.ts';
import { proveKills } from './kills.ts';
import { proveLimits } from './limits.ts';
import { provePaging } from './paging.ts';
import { provePeople } from './people/prove-people.ts';
import { proveSameKeyRaces } from './same-key-races.ts';
import { proveSecrets } from './secrets/prove-secrets.ts';
import type { ProofSection } from './section.ts';
import { proveSoak } from './soak.ts';
import { proveStatusOrders } from './status-orders.ts';
import { proveStream } from './stream/prove-stream.ts';
import { proveTenants } from './tenants/prove-tenants.ts';
import { proveUnknownOutcomes } from './unknown-outcomes.ts';
import { proveUpgrade } from './upgrade/prove-upgrade.ts';
import { proveUploads } from './uploads.ts';

// Proves the promises on the real service: `npm run prove -- --quick`, or `--only kills --count 300 --seed 7`.
const sections: Record<string, ProofSection> = {
  kills: { run: proveKills, quick: 30, full: 300 },
  'unknown-outcomes': { run: proveUnknownOutcomes, quick: 25, full: 1_000 },
  'same-key-races': { run: proveSameKeyRaces, quick: 40, full: 1_000 },
  tenants: { run: proveTenants, quick: 1, full: 1 },
  secrets: { run: proveSecrets, quick: 1, full: 1 },
  people: { run: provePeople, quick: 300, full: 1_500 },
  limits: { run: proveLimits, quick: 4, full: 180 },
  clock: { run: proveClock, quick: 1, full: 1 },
  paging: { run: provePaging, quick: 200, full: 2_000 },
  'status-orders': { run: proveStatusOrders, quick: 4, full: 6 },
  uploads: { run: proveUploads, quick: 60, full: 500 },
  'database-faults': { run: proveDatabaseFaults, quick: 5, full: 20 },
  stream: { run: proveStream, quick: 4, full: 20 },
  soak: { run: proveSoak, quick: 120, full: 1_800 },
  upgrade: { run: proveUpgrade, quick: 5_000, full: 40_000 },
  fuzz: { run: proveFuzz, quick: 1_500, full: 100_000 },
  bounds: { run: proveBounds, quick: 300, full: 100_000 },
};
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    count: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const wanted = values.only?.split(',') ?? Object.keys(sections);
const unknown = wanted.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) throw new Error(`no section is called ${unknown.join()}: ${Object.keys(sections).join(', ')}`);
// The same count takes seconds in one section and hours in another.
if (values.count !== undefined && wanted.length !== 1) throw new Error('--count needs --only with one section');

const log = (text: string) => void process.stdout.write(`${text}\n`);
await globalSetup();
// Hooks registered with `after` run at the end of the section's test.
for (const [name, section] of Object.entries(sections)) {
  if (wanted.includes(name)) await test(name, () => prove(name, section));
}
await endProcesses();
await globalTeardown();

async function prove(name: string, section: ProofSection): Promise<void> {
  const count = values.count === undefined ? section[values.quick ? 'quick' : 'full'] : Number(values.count);
  log(`${name}: seed ${seed}, ${count}`);
  const from = performance.now();
  const faults = await section
    .run({ seed, count, quick: values.quick, log: (text) => log(`  ${text}`) })
    .catch((error: unknown) => [error instanceof Error ? (error.stack ?? error.message) : String(error)]);
  for (const fault of faults) log(`  ${fault}`);
  const seconds = Math.round((performance.now() - from) / 1000);
  log(`${name}: ${faults.length === 0 ? 'holds' : `broken: ${faults.length} against it`} (${seconds} s)`);
  if (faults.length > 0) throw new Error(`${name} is broken; its seed is ${seed}`);
}
