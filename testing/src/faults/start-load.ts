import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '@majlis/simulator';
import { repeat } from '../repeat.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { assertReconciled, type Counts } from './assert-reconciled.ts';
import type { FaultEnvironment } from './fault-environment.ts';
import type { FaultWorkspace } from './fault-workspace.ts';
import { type KeepSending, keepSending, type Sending } from './keep-sending.ts';
import { untilSettled } from './until-settled.ts';

export interface Load {
  sending: Sending;
  /** Ends the load, waits until all work is done, and reconciles clients, platform and database. */
  finish(): Promise<Counts>;
}

/** Clients send and customers write to the service at `url`, until `finish`. */
export function startLoad(
  environment: FaultEnvironment,
  url: string,
  workspace: FaultWorkspace,
  options: Pick<KeepSending, 'clients' | 'silent'> = {},
): Load {
  const { simulator, random } = environment;
  const sending = keepSending({ url, workspace, random, ...options });
  const stopWriting = keepWriting(simulator, workspace, random);
  return {
    sending,
    async finish() {
      await sending.stop();
      const written = [...workspace.inbound, ...(await stopWriting())];
      await untilSettled(environment, url);
      return assertReconciled(environment, { acknowledged: sending.acknowledged, written });
    },
  };
}

/** Customers write one message after the other. The returned function ends that and answers the platform's message ids. */
function keepWriting(
  simulator: Simulator,
  { phone_number_id, customers }: FaultWorkspace,
  random: SeededRandom,
): () => Promise<string[]> {
  const written: string[] = [];
  const stop = repeat(async () => {
    const from = random.pick(customers);
    written.push(simulator.inject({ phone_number_id, from, type: 'text', content: `Message ${written.length}` }));
    await pause(random.between(0, 60));
  });
  return async () => {
    await stop();
    return written;
  };
}
