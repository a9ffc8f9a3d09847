import { canned } from './ar/canned.ts';
import { composer } from './ar/composer.ts';
import { contacts } from './ar/contacts.ts';
import { general } from './ar/general.ts';
import { inbox } from './ar/inbox.ts';
import { notices } from './ar/notices.ts';
import { palette } from './ar/palette.ts';
import { panel } from './ar/panel.ts';
import { thread } from './ar/thread.ts';
import { views } from './ar/views.ts';
import type { FirstWordId } from './en.ts';

/** The console's words in Arabic. */
export const ar: Record<FirstWordId, string> = {
  ...general,
  ...inbox,
  ...thread,
  ...composer,
  ...canned,
  ...panel,
  ...contacts,
  ...palette,
  ...notices,
  ...views,
};
