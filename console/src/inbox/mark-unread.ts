import { attempt } from '../app/attempt.ts';
import { request } from '../live/request.ts';
import { tell } from '../parts/toasts.ts';
import { t } from '../words/words.ts';

/** The last message of the customer is unread again, for this person. */
export function markUnread(workspace_id: string, conversation_id: string): Promise<void> {
  return attempt(async () => {
    await request('POST', `/workspaces/${workspace_id}/conversations/${conversation_id}/mark-unread`, {});
    tell(t('inbox.marked_unread'));
  });
}
