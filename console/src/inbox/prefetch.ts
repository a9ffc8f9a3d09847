import { loadPane } from './load-pane.ts';

// A pointer that passes over a row on its way reads nothing.
const restMs = 50;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The pointer or the focus rests on a row: its thread is read before the press. */
export function prefetchSoon(workspace_id: string, conversation_id: string): void {
  cancelPrefetch();
  timer = setTimeout(() => prefetch(workspace_id, conversation_id), restMs);
}

/** It is being pressed. */
export function prefetch(workspace_id: string, conversation_id: string): void {
  void loadPane();
  void import('../live/messages.ts').then(({ threadOf }) => threadOf(workspace_id, conversation_id).prefetch());
}

export function cancelPrefetch(): void {
  clearTimeout(timer);
}
