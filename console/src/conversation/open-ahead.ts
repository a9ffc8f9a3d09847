import { threadOf } from '../live/messages.ts';
import { sessionStore } from '../live/session.ts';

/**
 * The page was opened at this address, which names a conversation. Its newest messages are read right after the session, before the
 * list and the conversation are drawn. The place of a hit of the search is read by the thread.
 */
export function openAhead({ pathname, search }: Location): void {
  const [, workspace_id, conversation_id] = /^\/w\/([^/]+)\/inbox\/([^/]+)/.exec(pathname) ?? [];
  if (!workspace_id || !conversation_id || new URLSearchParams(search).has('message')) return;
  const readOnceSignedIn = () => {
    if (sessionStore.get().type !== 'signed_in') return;
    end();
    threadOf(workspace_id, conversation_id).prefetch();
  };
  const end = sessionStore.subscribe(readOnceSignedIn);
  readOnceSignedIn();
}
