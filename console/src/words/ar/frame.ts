import type { frame as english } from '../en/frame.ts';
import { general } from './general.ts';
import { inbox } from './inbox.ts';
import { notices } from './notices.ts';
import { palette } from './palette.ts';
import { thread } from './thread.ts';
import { views } from './views.ts';

export const frame: Record<keyof typeof english, string> = {
  ...general,
  ...inbox,
  ...thread,
  ...palette,
  ...notices,
  ...views,
};
