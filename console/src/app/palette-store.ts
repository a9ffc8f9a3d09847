import { createStore } from '../live/create-store.ts';

/** What stands in front of the page: the palette of commands, the list of shortcuts, or nothing. */
export const paletteStore = createStore<'closed' | 'commands' | 'shortcuts'>('closed');
