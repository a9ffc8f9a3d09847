import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../seeded-random.ts';
import type { Counts } from './assert-reconciled.ts';
import type { FaultEnvironment } from './fault-environment.ts';
import { createFaultWorkspace } from './fault-workspace.ts';
import { type Acknowledged, attemptSend, type Sending } from './keep-sending.ts';
import type { RestartableService } from './restartable-service.ts';
import { startLoad } from './start-load.ts';

export interface KillUnderLoad {
  api: RestartableService;
  /** A process that stands twice in the list is killed twice as often. */
  victims: RestartableService[];
  kills: number;
  clients?: number;
  /** The number of customers. Messages of one customer wait for each other, for seconds after a crash. */
  customers?: number;
  /** Kills a victim; by default with SIGKILL at once. */
  kill?(victim: RestartableService): Promise<void>;
}

/**
 * Kills the victims at random moments under load, then reconciles. Answers the counts, the number of answers by status
 * and the acknowledged sends per second.
 */
export async function killUnderLoad(
  environment: FaultEnvironment,
  { api, victims, kills, clients = 6, customers = 20, kill = (victim) => victim.kill() }: KillUnderLoad,
): Promise<Counts & { answers: Sending['answers']; per_second: number }> {
  const { random } = environment;
  const all = [...new Set(victims)];
  await Promise.all(all.map((one) => one.start()));
  const workspace = await createFaultWorkspace(environment, api.url, { customers });
  const load = startLoad(environment, api.url, workspace, { clients, silent: 0.1 });
  const { sending } = load;
  const from = performance.now();

  for (let round = 0; round < kills; round++) {
    const victim = random.pick(victims);
    // Sometimes the victim dies before it is ready.
    if (random.next() < 0.8) await victim.ready();
    await letLive(sending, random);
    await kill(victim);
    victim.launch();
  }
  await Promise.all(all.map((one) => one.ready()));
  const per_second = Math.round((1000 * sending.acknowledged.length) / (performance.now() - from));
  const counts = await load.finish();
  await assertRemembered(api.url, workspace.key, sending.acknowledged);
  return { ...counts, answers: sending.answers, per_second };
}

/** Waits for some more messages and milliseconds. */
async function letLive({ acknowledged }: Sending, random: SeededRandom): Promise<void> {
  const goal = acknowledged.length + random.between(0, 60);
  for (const end = performance.now() + 1_500; acknowledged.length < goal && performance.now() < end; ) await pause(10);
  await pause(random.between(0, 40));
}

/** A repeated call with the key of an acknowledged send gets the same id. */
async function assertRemembered(url: string, key: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (const one of acknowledged.slice(-20)) {
    const again = await attemptSend(url, key, one);
    assert.equal(again.id, one.id);
  }
}
