import { loadWords } from '../words/words.ts';

/** The list of keys, with the names of the commands of all pages: one may have the key that another is to get. */
export async function loadShortcuts() {
  const words = (['keys', 'later', 'proposals'] as const).map(loadWords);
  const [{ ShortcutsDialog }] = await Promise.all([import('./shortcuts-dialog.tsx'), ...words]);
  return ShortcutsDialog;
}
