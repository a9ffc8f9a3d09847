import type { OwnKeys } from '@majlis/console-api';
import { request, sentenceOf } from '../live/request.ts';
import { loadSession } from '../live/session.ts';
import { tellOtherTabs } from '../live/session-tabs.ts';
import { tell } from '../parts/toasts.ts';

/** Keeps the person's keys on the server. The other tabs read them too. */
export async function saveKeys(shortcuts: OwnKeys): Promise<void> {
  try {
    await request('PATCH', '/profile', { shortcuts });
    await loadSession();
    tellOtherTabs();
  } catch (error) {
    tell(sentenceOf(error), 'danger');
  }
}
