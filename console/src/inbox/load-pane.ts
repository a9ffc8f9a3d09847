/** Loads the code of an open conversation. The list is the first view, so it comes without it. */
export const loadPane = () => import('../conversation/conversation-pane.tsx');

/** Before somebody opens a conversation, and after the list is drawn. */
export function loadPaneWhenIdle(): void {
  // Not every browser tells when it is idle.
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500));
  whenIdle(() => void loadPane());
}

// The address names one: its code is loaded while the session is read.
if (/^\/w\/[^/]+\/inbox\/./.test(location.pathname)) void loadPane();
