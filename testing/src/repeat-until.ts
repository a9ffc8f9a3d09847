import { setTimeout as pause } from 'node:timers/promises';

/**
 * Does `work` again and again until `isDone`. Fails after `within_ms`. A pause lets timers and sockets run where `work`
 * itself never waits for them.
 */
export async function repeatUntil(
  isDone: () => unknown,
  work: () => unknown = () => pause(10),
  within_ms = 60_000,
): Promise<void> {
  const end = performance.now() + within_ms;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`still not done after ${within_ms} ms: ${isDone}`);
    await work();
    await pause(0);
  }
}
