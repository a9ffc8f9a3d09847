import { setTimeout } from 'node:timers/promises';

/** Polls `read` until `holds` is true for its value. Fails with the last value after `within_ms`. */
export async function eventually<Value>(
  read: () => Promise<Value> | Value,
  holds: (value: Value) => boolean,
  within_ms = 60_000,
): Promise<Value> {
  const end = performance.now() + within_ms;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > end) throw new Error(`still not so after ${within_ms} ms: ${JSON.stringify(value)}`);
    await setTimeout(40);
  }
}
