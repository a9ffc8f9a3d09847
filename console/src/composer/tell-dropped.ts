import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';

let isTold = false;

/** Says once, whatever it was, that what a person began goes with its conversation, which they may not see any more. */
export function tellDropped(): void {
  if (isTold) return;
  isTold = true;
  queueMicrotask(() => {
    isTold = false;
  });
  tell(t('composer.dropped'), 'danger');
}
