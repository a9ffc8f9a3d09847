import { cleanUp, within } from './cleanup.ts';

/** Repeats the work until the returned function is called, which waits for the last run. A failed test ends it too. */
export function repeat(work: () => Promise<unknown>): () => Promise<void> {
  let stopped = false;
  cleanUp('a repetition', () => {
    stopped = true;
  });
  const run = async () => {
    while (!stopped) await work();
  };
  const running = run();
  return async () => {
    stopped = true;
    await within(running, 120_000, 'the last run of a repetition');
  };
}
