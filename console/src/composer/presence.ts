import type { DraftKind } from '@majlis/console-api';
import { request } from '../live/request.ts';

const renewMs = 12_000;
const typingSeconds = 15;
const idleMs = 5_000;

/** Tells colleagues that the person views a conversation, and what they type there. */
export interface OwnPresence {
  typed(kind: DraftKind): void;
  stopped(): void;
  leave(): void;
}

/** A failed renewal is not repeated: the next one follows in seconds, and the service ends a presence by itself. */
export function announcePresence(workspace_id: string, conversation_id: string): OwnPresence {
  const path = `/workspaces/${workspace_id}/conversations/${conversation_id}/presence`;
  let typing: DraftKind | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const put = () => {
    if (document.visibilityState === 'hidden') return;
    const body = typing ? { typing, expires_in_seconds: typingSeconds } : {};
    void request('PUT', path, body).catch(() => {});
  };
  const end = () => void request('DELETE', path, undefined, { keepalive: true }).catch(() => {});
  const change = () => (document.visibilityState === 'hidden' ? end() : put());
  const renewal = setInterval(put, renewMs);
  document.addEventListener('visibilitychange', change);
  put();

  function stopped(): void {
    clearTimeout(idle);
    if (!typing) return;
    typing = undefined;
    put();
  }
  return {
    typed(kind) {
      clearTimeout(idle);
      idle = setTimeout(stopped, idleMs);
      if (typing === kind) return;
      typing = kind;
      put();
    },
    stopped,
    leave() {
      clearInterval(renewal);
      clearTimeout(idle);
      document.removeEventListener('visibilitychange', change);
      end();
    },
  };
}
