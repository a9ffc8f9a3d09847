import type { ThreadMessage } from '@majlis/console-api';
import { createStore } from '../live/create-store.ts';

/** The message that the next reply quotes. */
export const quotedStore = createStore<ThreadMessage | undefined>(undefined);
