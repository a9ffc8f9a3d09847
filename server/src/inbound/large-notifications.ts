import { createThread } from '../concurrency/thread.ts';
import type { LargeResult, LargeWork, ReadNotification } from './large-notification-thread.ts';
import type { NotificationPart } from './split-notification.ts';

/**
 * One thread for the large notifications of the process: to parse 4 MB takes up to a second, and the event loop serves all tenants.
 * It needs no end, because an idle thread holds no process.
 */
const thread = createThread<LargeWork, LargeResult>(new URL('./large-notification-thread.ts', import.meta.url));

/** Reads the body of a large notification, of at most `max_values` values. Owners take turns. */
export function readLarge(
  owner: string,
  raw: Uint8Array,
  max_values: number,
): Promise<ReadNotification | 'too many values' | 'not JSON'> {
  return thread.run(`reads ${owner}`, { type: 'read', raw, max_values }) as ReturnType<typeof readLarge>;
}

/** Splits a stored notification into steps. Each is the JSON of its parts. Owners take turns. */
export async function splitLarge(owner: string, text: string): Promise<string[]> {
  const result = (await thread.run(`splits ${owner}`, { type: 'split', text })) as { steps: string[] };
  return result.steps;
}

/** As `forgetInText`. Owners take turns. */
export async function forgetInLarge(
  owner: string,
  text: string,
  names: readonly string[],
): Promise<string | null | undefined> {
  const result = (await thread.run(`forgets ${owner}`, { type: 'forget', text, names })) as {
    left: string | null | undefined;
  };
  return result.left;
}

/** The parts of a step. */
export function readStep(step: string): NotificationPart[] {
  return JSON.parse(step) as NotificationPart[];
}
