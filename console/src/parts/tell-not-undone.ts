import { Failure, isPassing, sentenceOf } from '../live/request.ts';
import { t } from '../words/words.ts';
import { tell, tellUndoable } from './toasts.ts';

/** Whether the same undo may work later, as after a cut of the network. */
export function mayUndoLater(error: unknown): boolean {
  return error instanceof Failure && isPassing(error);
}

/** Tells why an action was not taken back. Where the undo may work later, it is offered again. */
export function tellNotUndone(error: unknown, undo: () => void): void {
  const isChanged = error instanceof Failure && error.code === 'changed_meanwhile';
  if (mayUndoLater(error)) tellUndoable(sentenceOf(error), undo, 'danger');
  else tell(isChanged ? t('panel.undo_refused') : sentenceOf(error), 'danger');
}
