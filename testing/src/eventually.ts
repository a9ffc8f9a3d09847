import { setTimeout } from 'node:timers/promises';

// Long, because the machine may be busy. `npm run mutants` waits for what never comes.
const patienceMs = Number(process.env.TEST_PATIENCE_MS ?? 60_000);

// A long wait must not use up the 600 requests a minute of a key.
const [oftenMs, seldomMs] = [40, 200];
const oftenForMs = 5_000;

/** Polls `read` until `holds` is true for its value. Fails with the last value after `within_ms`. */
export async function eventually<Value>(
  read: () => Promise<Value> | Value,
  holds: (value: Value) => boolean,
  within_ms = patienceMs,
): Promise<Value> {
  const from = performance.now();
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    const waited_ms = performance.now() - from;
    if (waited_ms > within_ms) throw new Error(`still not so after ${within_ms} ms: ${shorten(value)}`);
    await setTimeout(waited_ms < oftenForMs ? oftenMs : seldomMs);
  }
}

function shorten(value: unknown): string {
  const text = String(JSON.stringify(value));
  return text.length > 4_000 ? `${text.slice(0, 4_000)}…` : text;
}
