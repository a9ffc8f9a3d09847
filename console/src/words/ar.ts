import { general } from './ar/general.ts';
import { inbox } from './ar/inbox.ts';
import { notices } from './ar/notices.ts';
import { palette } from './ar/palette.ts';
import { thread } from './ar/thread.ts';
import { views } from './ar/views.ts';
import type { FirstWordId } from './en.ts';

/** The console's words in Arabic. */
export const ar: Record<FirstWordId, string> = {
  ...general,
  ...inbox,
  ...thread,
  ...palette,
  ...notices,
  ...views,
};
