import type { Restorable } from '@majlis/console-api';
import type { Conversation } from '@majlis/contract';
import { conversations } from '../live/conversations.ts';
import { makeKey } from '../live/make-key.ts';
import { request } from '../live/request.ts';

export interface Restoring {
  expected: Restorable;
  restored: Restorable;
}

/** Restores what stood in the conversation before. Rejects where the service refuses. */
export type Restore = () => Promise<void>;

/** Every attempt has the same key: where the answer alone was lost, the next one finds the action taken back. */
export function prepareRestore(path: string, restoring: Restoring): Restore {
  const idempotency_key = makeKey();
  return async () => {
    const answer = await request<Conversation>('POST', `${path}/restore`, restoring, { idempotency_key });
    conversations.putChanged(answer);
  };
}
