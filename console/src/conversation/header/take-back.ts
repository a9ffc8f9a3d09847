import type { Restorable } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { makeKey } from '../../composer/kept-sends.ts';
import { conversations } from '../../live/conversations.ts';
import { request } from '../../live/request.ts';
import { tellNotUndone } from '../../parts/tell-not-undone.ts';
import { tell } from '../../parts/toasts.ts';
import { t } from '../../words/words.ts';

export interface Restoring {
  expected: Restorable;
  restored: Restorable;
}

/** The key stays: where the answer alone was lost, another press finds the action taken back. */
export async function takeBack(path: string, restoring: Restoring, onEnd: () => void, key = makeKey()): Promise<void> {
  try {
    const options = { idempotency_key: key };
    conversations.putChanged(await request<Conversation>('POST', `${path}/restore`, restoring, options));
    tell(t('panel.undone'));
  } catch (error) {
    tellNotUndone(error, () => void takeBack(path, restoring, onEnd, key));
  } finally {
    onEnd();
  }
}
