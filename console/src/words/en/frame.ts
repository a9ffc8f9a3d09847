import { general } from './general.ts';
import { inbox } from './inbox.ts';
import { notices } from './notices.ts';
import { palette } from './palette.ts';
import { thread } from './thread.ts';
import { views } from './views.ts';

/** The words of the first view of a person who is signed in. */
export const frame = { ...general, ...inbox, ...thread, ...palette, ...notices, ...views };
