import { setTimeout as pause } from 'node:timers/promises';

const withinMs = 120_000;
const againAfterMs = 40;

/** Reads until a value is there. */
export async function waitUntil<T>(what: string, read: () => Promise<T | undefined | false>): Promise<T> {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    const value = await read();
    if (value) return value;
    await pause(againAfterMs);
  }
  throw new Error(`the demo cannot be filled: ${what} did not come`);
}
