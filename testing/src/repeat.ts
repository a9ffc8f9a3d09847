import { after } from 'node:test';

/** Repeats the work until the returned function is called, which waits for the last run. A failed test ends it too. */
export function repeat(work: () => Promise<unknown>): () => Promise<void> {
  let stopped = false;
  after(() => {
    stopped = true;
  });
  const run = async () => {
    while (!stopped) await work();
  };
  const running = run();
  return async () => {
    stopped = true;
    await running;
  };
}
