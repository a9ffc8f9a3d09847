import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components';
import { t } from '../words/words.ts';
import { offerUndo } from './undo.ts';

export interface Message {
  /** Of a notification: who wrote. */
  title?: string;
  text: string;
  kind: 'success' | 'danger' | 'notice';
  action?: { label: string; act: () => void };
}

export const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 });
const shownMs = 6_000;
const undoMs = 10_000;

/** Tells the outcome of an action that leaves no other trace on the page. */
export function tell(text: string, kind: 'success' | 'danger' = 'success'): void {
  queue.add({ text, kind }, kind === 'success' ? { timeout: shownMs } : {});
}

interface ToldNotice {
  title: string;
  text: string;
  open: () => void;
  onClose: () => void;
}

/** Tells what came in. Returns a function that takes the words away, as when they have been read elsewhere. */
export function tellNotice({ title, text, open, onClose }: ToldNotice): () => void {
  const act = () => {
    queue.close(key);
    open();
  };
  const action = { label: t('notice.open'), act };
  const key = queue.add({ title, text, kind: 'notice', action }, { timeout: shownMs, onClose });
  return () => queue.close(key);
}

/** Tells what a person did, and offers to take it back for ten seconds; after a failure, for as long as the words stand. */
export function tellUndoable(text: string, undo: () => void, kind: 'success' | 'danger' = 'success'): void {
  // The button stands there for a moment after the press: a second one takes nothing back.
  let isTaken = false;
  const take = () => {
    queue.close(key);
    if (!isTaken) undo();
    isTaken = true;
  };
  const endOffer = offerUndo(take);
  const message: Message = { text, kind, action: { label: t('app.undo'), act: take } };
  const key = queue.add(message, { ...(kind === 'success' && { timeout: undoMs }), onClose: endOffer });
}
