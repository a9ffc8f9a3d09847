import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { assertAccounts, type Counts } from './assert-accounts.ts';
import type { Stage } from './build-stage.ts';
import { type Acknowledged, keepSending, type Sending, send } from './keep-sending.ts';
import { keepWriting } from './keep-writing.ts';
import { openWorkspace } from './open-workspace.ts';
import type { RestartableMajlis } from './restartable-majlis.ts';
import type { Random } from './seeded-random.ts';
import { settle } from './settle.ts';

export interface KillUnderLoad {
  api: RestartableMajlis;
  /** One that is named twice dies twice as often. */
  victims: RestartableMajlis[];
  kills: number;
  clients?: number;
  /** The messages of one customer wait for each other, and for seconds where the worker died with one of them. */
  customers?: number;
  /** How a victim dies: by default at once. */
  kill?(victim: RestartableMajlis): Promise<void>;
}

/**
 * Kills the victims at random moments while clients send and customers write, then draws up the accounts. Answers them,
 * with how often each answer was given and how many sends were acknowledged in a second.
 */
export async function killUnderLoad(
  stage: Stage,
  { api, victims, kills, clients = 6, customers = 20, kill = (victim) => victim.kill() }: KillUnderLoad,
): Promise<Counts & { answers: Sending['answers']; per_second: number }> {
  const { random, simulator } = stage;
  const all = [...new Set(victims)];
  await Promise.all(all.map((one) => one.start()));
  const workspace = await openWorkspace(stage, api.url, { customers });
  const sending = keepSending({ url: api.url, workspace, random, clients, silent: 0.1 });
  const writing = keepWriting(simulator, workspace, random);
  const from = performance.now();

  for (let round = 0; round < kills; round++) {
    const victim = random.pick(victims);
    // Now and then it dies before it is ready.
    if (random.next() < 0.8) await victim.ready();
    await letLive(sending, random);
    await kill(victim);
    victim.launch();
  }
  await Promise.all(all.map((one) => one.ready()));
  await sending.stop();
  const per_second = Math.round((1000 * sending.acknowledged.length) / (performance.now() - from));
  const written = [...workspace.inbound, ...(await writing.stop())];
  await settle(stage, api.url);

  const counts = await assertAccounts(stage, { acknowledged: sending.acknowledged, written });
  await assertRemembered(api.url, workspace.key, sending.acknowledged);
  return { ...counts, answers: sending.answers, per_second };
}

/** For some messages, and some milliseconds more. */
async function letLive({ acknowledged }: Sending, random: Random): Promise<void> {
  const goal = acknowledged.length + random.between(0, 60);
  for (const end = performance.now() + 1_500; acknowledged.length < goal && performance.now() < end; ) await pause(10);
  await pause(random.between(0, 40));
}

/** Whoever asks again with the key of an acknowledged send is told the same. */
async function assertRemembered(url: string, key: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (const one of acknowledged.slice(-20)) {
    const again = await send(url, key, one);
    assert.equal(again.id, one.id);
  }
}
