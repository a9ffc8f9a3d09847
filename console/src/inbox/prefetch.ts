import { loadPane } from './load-pane.ts';

// A pointer that passes over a row on its way reads nothing.
const restMs = 50;
let timer: ReturnType<typeof setTimeout> | undefined;
let rested_id: string | undefined;

/**
 * The pointer moves over a row, or the focus comes to it: its thread is read before the press, once. A row that a change of the list
 * brings under a resting pointer is not meant.
 */
export function prefetchSoon(workspace_id: string, conversation_id: string): void {
  if (conversation_id === rested_id) return;
  cancelPrefetch();
  rested_id = conversation_id;
  timer = setTimeout(() => prefetch(workspace_id, conversation_id), restMs);
}

/** It is being pressed. */
export function prefetch(workspace_id: string, conversation_id: string): void {
  void loadPane();
  void import('../live/messages.ts').then(({ threadOf }) => threadOf(workspace_id, conversation_id).prefetch());
}

export function cancelPrefetch(): void {
  clearTimeout(timer);
  rested_id = undefined;
}
