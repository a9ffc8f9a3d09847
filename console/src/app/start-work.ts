import { startResuming } from '../composer/start-resuming.ts';
import { startLive } from '../live/live.ts';
import { followOtherTabs } from '../live/session-tabs.ts';
import { startNotices } from '../notices/start-notices.ts';
import { keepFocus } from './keep-focus.ts';
import { startShortcuts } from './shortcuts.ts';

/** Starts what follows the work of a person beside the page. A stranger needs none of it. */
export function startWork(): void {
  startShortcuts();
  keepFocus();
  startLive();
  followOtherTabs();
  startResuming();
  startNotices();
}
