import { type EventEmitter, once } from 'node:events';

/** The arguments of the next such event, as `once` answers them. Fails after `within_ms`, where `once` waits for ever. */
// biome-ignore lint/suspicious/noExplicitAny: the events of any emitter, typed as those of `once`
export function onceWithin(emitter: EventEmitter, event: string, within_ms = 30_000): Promise<any[]> {
  return once(emitter, event, { signal: AbortSignal.timeout(within_ms) });
}
