import { canned } from './en/canned.ts';
import { composer } from './en/composer.ts';
import { contacts } from './en/contacts.ts';
import type { desk } from './en/desk.ts';
import { general } from './en/general.ts';
import { inbox } from './en/inbox.ts';
import { notices } from './en/notices.ts';
import { palette } from './en/palette.ts';
import { panel } from './en/panel.ts';
import { thread } from './en/thread.ts';
import { views } from './en/views.ts';

/** The console's words in English. A value in braces is replaced (ICU message format). */
export const en = {
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

/** Words that the first view has. */
export type FirstWordId = keyof typeof en;

export type WordId = FirstWordId | keyof typeof desk;
