import type { ThreadMessage } from '@majlis/console-api';
import { createStore } from '../live/create-store.ts';

/** The message that the next reply quotes. */
export const quotedStore = createStore<ThreadMessage | undefined>(undefined);

/** Quotes again what a reply quoted that was not sent, unless the person has chosen another message since. */
export function giveBackQuoted(message: ThreadMessage | undefined): void {
  if (message && !quotedStore.get()) quotedStore.set(message);
}
