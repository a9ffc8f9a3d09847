import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '@majlis/simulator';
import type { SeededRandom } from '../seeded-random.ts';
import type { FaultWorkspace } from './fault-workspace.ts';

/** Customers who write all the time; `stop` answers the platform's ids of what they wrote. */
export function keepWriting(
  simulator: Simulator,
  { phone_number_id, customers }: FaultWorkspace,
  random: SeededRandom,
) {
  const written: string[] = [];
  let stopped = false;
  after(() => {
    stopped = true;
  });

  async function write(): Promise<void> {
    while (!stopped) {
      const from = random.pick(customers);
      written.push(simulator.inject({ phone_number_id, from, type: 'text', content: `Message ${written.length}` }));
      await pause(random.between(0, 60));
    }
  }

  const running = write();
  return {
    async stop(): Promise<string[]> {
      stopped = true;
      await running;
      return written;
    },
  };
}
