import type { desk } from './en/desk.ts';
import { general } from './en/general.ts';
import { inbox } from './en/inbox.ts';
import type { later } from './en/later.ts';
import { notices } from './en/notices.ts';
import { palette } from './en/palette.ts';
import { thread } from './en/thread.ts';
import { views } from './en/views.ts';

/** The console's words in English. A value in braces is replaced (ICU message format). */
export const en = {
  ...general,
  ...inbox,
  ...thread,
  ...palette,
  ...notices,
  ...views,
};

/** Words that the first view has. */
export type FirstWordId = keyof typeof en;

export type WordId = FirstWordId | keyof typeof later | keyof typeof desk;
