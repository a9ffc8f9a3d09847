import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureBroadcast } from './broadcasts.ts';
import { measureConsole } from './console.ts';
import { measureCost } from './cost.ts';
import { type BenchEnvironment, createBenchEnvironment } from './environment.ts';
import { measureEvents } from './events.ts';
import { measureFresh } from './fresh.ts';
import { measureHanging } from './hanging.ts';
import { measureHeldSnapshot } from './held-snapshot.ts';
import { measureInbound } from './inbound.ts';
import { measureInbox } from './inbox.ts';
import { measureLargeNotifications } from './large-notifications.ts';
import { measureLive } from './live.ts';
import { measureMessageSearch } from './message-search.ts';
import { countingSettings } from './meter.ts';
import { measureNewCustomers } from './new-customers.ts';
import { print } from './print.ts';
import { measureRetrieval } from './retrieval.ts';
import { measureSending, measureTogether } from './sending.ts';
import { measureSkewed } from './skewed.ts';
import { measureStreams } from './stream.ts';
import { type BenchTenant, createTenants } from './tenants.ts';
import { measureWorkflows } from './workflows.ts';

// Measures the fast paths, each as a ratio to a floor of the same run: `npm run bench -- --seconds 10 --only inbound`.
const sections = {
  sending: measureSending,
  together: measureTogether,
  customers: measureNewCustomers,
  inbound: measureInbound,
  'large-notifications': measureLargeNotifications,
  broadcast: measureBroadcast,
  workflows: measureWorkflows,
  inbox: measureInbox,
  events: measureEvents,
  hanging: measureHanging,
  retrieval: measureRetrieval,
  stream: measureStreams,
  snapshot: measureHeldSnapshot,
};
// In an environment of its own, whose PostgreSQL counts statements.
const countedSections = { cost: measureCost };
// On stages of their own, which they open.
const ownSections = {
  fresh: () => measureFresh(Number(values.share), values.path),
  skewed: () => measureSkewed(Number(values.share)),
  'message-search': () => measureMessageSearch(Number(values.share)),
  live: () => measureLive(Number(values.seconds)),
  async console() {
    if ((await measureConsole(values.full)) > 0) process.exitCode = 1;
  },
};
const tenantCount = 32;

type Section = (environment: BenchEnvironment, tenants: BenchTenant[]) => Promise<void>;

// `--share 0.1`: a tenth of the ten minutes of `fresh`, of the customers of `skewed`, of the messages of `message-search`.
// `--full`: the whole shift of `console`. `--path import`: the paths of `fresh` whose name has this part.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    share: { type: 'string', default: '1' },
    full: { type: 'boolean', default: false },
    path: { type: 'string' },
  },
});
const known = Object.keys({ ...sections, ...countedSections, ...ownSections });
const wanted = values.only?.split(',') ?? known;
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`no section is called ${unknown.join()}: ${known.join(', ')}`);
print('machine', `${cpus().length} cores, shared by client, service and database`);
await measure(sections, {});
await measure(countedSections, countingSettings);
for (const [name, section] of Object.entries(ownSections)) {
  if (wanted.includes(name)) await section();
}

async function measure(sections: Record<string, Section>, settings: Record<string, string>): Promise<void> {
  const chosen = Object.entries(sections).filter(([name]) => wanted.includes(name));
  if (chosen.length === 0) return;
  const environment = await createBenchEnvironment(Number(values.seconds), settings);
  try {
    const tenants = await createTenants(environment, tenantCount);
    for (const [, section] of chosen) await section(environment, tenants);
  } finally {
    await environment.close();
  }
}
