import { createFaultEnvironment } from '@majlis/testing/faults/fault-environment';
import { createInterposedEnvironment, type InterposedPlatform } from '@majlis/testing/faults/interposed-platform';
import { killUnderLoad } from '@majlis/testing/faults/kill-under-load';
import type { RestartableService } from '@majlis/testing/faults/restartable-service';
import { silentNumber } from '@majlis/testing/faults/silent-number';
import type { ProofRun } from './section.ts';

// As many as have a hundred sends a second acknowledged while the API lives most of the time.
const load = { clients: 10, customers: 300 };
/**
 * `kill -9` of an API and a worker apart and of one process with its own PostgreSQL, at random moments and in the one moment
 * that matters most, between the platform's acceptance and its record, while clients send and customers write. The clients'
 * acknowledgements, the platform's ledger and the stored rows must tell the same.
 */
export async function proveKills({ seed, count, log }: ProofRun): Promise<string[]> {
  const apart = Math.ceil((count * 2) / 3);
  const environment = await createInterposedEnvironment({ seed });
  const api = await environment.majlis({ ROLES: 'api' });
  const worker = await environment.majlis({ ROLES: 'worker' });
  let struck = 0;
  const kill = async (victim: RestartableService) => {
    const strikes = victim === worker && (struck === 0 || environment.random.next() < 0.6);
    if (!strikes) return victim.kill();
    if (await killOnAcceptance(environment.platform, victim)) struck++;
  };
  const counts = await killUnderLoad(environment, { api, victims: [api, worker, worker], kills: apart, ...load, kill });
  log(`API and worker apart, ${apart} kills, ${struck} of them on acceptance: ${JSON.stringify(counts)}`);
  const embedded = await createFaultEnvironment({ seed: seed + 1, embedded: true });
  const both = await embedded.majlis();
  const more = await killUnderLoad(embedded, { api: both, victims: [both], kills: count - apart, ...load });
  log(`one process and its PostgreSQL, ${count - apart} kills: ${JSON.stringify(more)}`);
  return [];
}

const patienceMs = 4_000;

/**
 * It dies when the platform has taken a message and nobody has been told: true. Where nothing is sent for a while it dies
 * all the same.
 */
function killOnAcceptance(platform: InterposedPlatform, victim: RestartableService): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const die = async (accepted: boolean) => {
      clearTimeout(timer);
      platform.onAccepted = undefined;
      await victim.kill().then(() => resolve(accepted), reject);
    };
    const timer = setTimeout(die, patienceMs, false);
    // Of which no status tells afterwards: only the service's own record stands against a second call.
    platform.onAccepted = (to) => (to.endsWith(silentNumber.slice(1)) ? die(true) : undefined);
  });
}
