import type { LiveChange, LiveRemoval } from '@majlis/console-api';
import { listenToChanges } from '../live/changes.ts';
import type { Happened } from './consider-notice.ts';

export function startNotices(): void {
  listenToChanges({
    onChange: follow,
    onForget() {
      if (isAtWork) void considering().then(({ forgetNotices }) => forgetNotices());
    },
  });
}

// Loaded with the first message: the first view has none.
const considering = () => import('./consider-notice.ts');
let isAtWork = false;

function follow(change: LiveChange | LiveRemoval): void {
  const { kind, workspace_id, conversation_id, message_id, unread_count } = change as LiveChange;
  if (!conversation_id) return;
  switch (kind as LiveChange['kind'] | 'removed') {
    case 'message':
    case 'mention':
      consider({ workspace_id, conversation_id, id: message_id!, of: 'messages' });
      break;
    case 'handover':
      consider({ workspace_id, conversation_id, id: conversation_id, of: 'handed_over' });
      break;
    case 'read_mark':
      if (unread_count === 0) withdraw(conversation_id);
      break;
    case 'removed':
      withdraw(conversation_id);
      break;
  }
}

function consider(happened: Happened): void {
  isAtWork = true;
  void considering().then(({ considerNotice }) => considerNotice(happened));
}

function withdraw(conversation_id: string): void {
  if (isAtWork) void considering().then(({ withdrawNotice }) => withdrawNotice(conversation_id));
}
