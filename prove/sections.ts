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
import { proveStrangers } from './strangers/prove-strangers.ts';
import { proveStream } from './stream/prove-stream.ts';
import { proveTenants } from './tenants/prove-tenants.ts';
import { proveUnknownOutcomes } from './unknown-outcomes.ts';
import { proveUpgrade } from './upgrade/prove-upgrade.ts';
import { proveUploads } from './uploads.ts';

/** By name, in the order in which they run. */
export const sections: Record<string, ProofSection> = {
  kills: { run: proveKills, quick: 20, full: 300 },
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
  'database-faults': { run: proveDatabaseFaults, quick: 3, full: 20 },
  stream: { run: proveStream, quick: 4, full: 20 },
  soak: { run: proveSoak, quick: 60, full: 1_800 },
  upgrade: { run: proveUpgrade, quick: 5_000, full: 40_000 },
  fuzz: { run: proveFuzz, quick: 1_500, full: 100_000 },
  strangers: { run: proveStrangers, quick: 1, full: 10 },
  bounds: { run: proveBounds, quick: 300, full: 100_000 },
};
