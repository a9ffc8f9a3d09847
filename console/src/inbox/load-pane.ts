import { whenIdle } from '../parts/lazy-piece.ts';

/** Loads the code of an open conversation. The list is the first view, so it comes without it. */
export const loadPane = () => import('../conversation/conversation-pane.tsx');

/** Before somebody opens a conversation, and after the list is drawn. */
export function loadPaneWhenIdle(): void {
  whenIdle(() => void loadPane());
}

// The address names one: its code is loaded while the session is read.
if (/^\/w\/[^/]+\/inbox\/./.test(location.pathname)) void loadPane();
