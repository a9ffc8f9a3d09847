import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { eventually } from '../eventually.ts';
import type { FaultEnvironment } from './fault-environment.ts';
import { startFaultService } from './fault-workspace.ts';
import type { RestartableService } from './restartable-service.ts';
import { startLoad } from './start-load.ts';

/** Short timeouts: work that waits for a dead database is released soon. */
export const shortTimeouts = {
  PLATFORM_TIMEOUT_SECONDS: '1',
  LEASE_SECONDS: '6',
};

export interface BreakDatabase {
  rounds: number;
  breakDatabase(majlis: RestartableService): Promise<void>;
  /** Receives the figures of the run. */
  log(text: string): void;
}

/** Breaks the database repeatedly under load, then reconciles clients, platform and database. */
export async function breakDatabaseUnderLoad(
  environment: FaultEnvironment,
  { rounds, breakDatabase, log }: BreakDatabase,
): Promise<void> {
  log(`seed ${environment.random.seed}`);
  const { majlis, workspace } = await startFaultService(environment, shortTimeouts);
  const load = startLoad(environment, majlis.url, workspace);
  const { sending } = load;
  const descriptors: number[] = [];
  let slowest_ms = 0;

  for (let round = 0; round < rounds; round++) {
    const goal = sending.acknowledged.length + 30;
    await eventually(
      () => sending.acknowledged.length,
      (count) => count >= goal,
    );
    descriptors.push(await openDescriptors(majlis));
    await breakDatabase(majlis);
    const from = performance.now();
    await untilReadyIs(majlis, 200);
    slowest_ms = Math.max(slowest_ms, performance.now() - from);
  }
  const counts = await load.finish();

  log(`answers ${JSON.stringify(sending.answers)}, the slowest after ${Math.round(sending.slowest_ms)} ms`);
  log(`ready again after ${Math.round(slowest_ms)} ms at most; open files ${descriptors}`);
  log(JSON.stringify(counts));
  const answers = Object.keys(sending.answers).sort();
  assert.deepEqual(
    answers.filter((answer) => !['201', '503 service_unavailable'].includes(answer)),
    [],
  );
  assert.equal(majlis.isRunning(), true);
  assert.equal(majlis.stderr(), '', 'no warning of Node, such as that of too many listeners');
  // The pools fill in the first rounds only. What a round has left behind closes in a while; what piles up stays.
  const filled = Math.max(...descriptors.slice(0, Math.ceil(rounds / 2)));
  await eventually(
    () => openDescriptors(majlis),
    (count) => count <= filled + 40,
  );
}

export async function untilReadyIs(majlis: RestartableService, status: number): Promise<void> {
  const answer = async () => {
    const response = await fetch(`${majlis.url}/readyz`, { signal: AbortSignal.timeout(30_000) });
    await response.text();
    return response.status;
  };
  await eventually(answer, (found) => found === status);
}

/** The open files of the process, but for connections that a client keeps open. Those last as long as clients like. */
async function openDescriptors(majlis: RestartableService): Promise<number> {
  const [open, clients] = await Promise.all([readdir(`/proc/${majlis.pid()}/fd`), clientsOf(new URL(majlis.url).port)]);
  return open.length - clients;
}

/** The established connections to a port of this machine, from the kernel's tables of sockets. */
async function clientsOf(port: string): Promise<number> {
  const [address, established] = [`:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`, '01'];
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'utf8')));
  const rows = tables.flatMap((table) => table.split('\n').map((row) => row.trim().split(/\s+/)));
  return rows.filter(([, local, , state]) => local?.endsWith(address) && state === established).length;
}
