import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureBroadcast } from './broadcasts.ts';
import { measureEvents } from './events.ts';
import { measureInbound } from './inbound.ts';
import { measureInbox } from './inbox.ts';
import { print } from './print.ts';
import { measureRetrieval } from './retrieval.ts';
import { measureSending, measureTogether } from './sending.ts';
import { openStage } from './stage.ts';
import { makeTenants } from './tenants.ts';
import { measureWorkflows } from './workflows.ts';

// Measures the fast paths, each as a ratio to a floor of the same run: `npm run bench -- --seconds 10 --only inbound`.
const sections = {
  sending: measureSending,
  together: measureTogether,
  inbound: measureInbound,
  broadcast: measureBroadcast,
  workflows: measureWorkflows,
  inbox: measureInbox,
  events: measureEvents,
  retrieval: measureRetrieval,
};
const tenantCount = 32;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' }, only: { type: 'string' } } });
const wanted = values.only?.split(',') ?? Object.keys(sections);
const stage = await openStage(Number(values.seconds));
try {
  print('machine', `${cpus().length} cores, shared by client, service and database`);
  const tenants = await makeTenants(stage, tenantCount);
  for (const [name, measure] of Object.entries(sections)) if (wanted.includes(name)) await measure(stage, tenants);
} finally {
  await stage.close();
}
