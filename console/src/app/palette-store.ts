import { createStore } from '../live/create-store.ts';
import { keepLetters, takeLetters } from './early-letters.ts';

/** What stands in front of the page: the palette of commands, the list of shortcuts, or nothing. */
export const paletteStore = createStore<'closed' | 'commands' | 'shortcuts'>('closed');

/** The script of the palette is loaded with its first opening. What is typed meanwhile is for its field. */
export function openPalette(): void {
  keepLetters(closePalette);
  paletteStore.set('commands');
}

export function closePalette(): void {
  takeLetters();
  paletteStore.set('closed');
}
