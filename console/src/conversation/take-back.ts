import { tellNotUndone } from '../parts/tell-not-undone.ts';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';
import type { Restore } from './restore.ts';

/** Takes an action on one conversation back, tells the outcome, and offers it again where it may work later. */
export async function takeBack(restore: Restore, onEnd: () => void): Promise<void> {
  try {
    await restore();
    tell(t('panel.undone'));
  } catch (error) {
    tellNotUndone(error, () => void takeBack(restore, onEnd));
  } finally {
    onEnd();
  }
}
