import { cleanUp } from './cleanup.ts';

export interface Drip {
  stop(): void;
}

/** Repeats `write` at an interval until `stop`, and until the end of the test at the latest. */
export function drip(write: () => unknown, every_ms: number): Drip {
  const timer = setInterval(write, every_ms);
  const stop = () => clearInterval(timer);
  cleanUp('a drip', stop);
  return { stop };
}
