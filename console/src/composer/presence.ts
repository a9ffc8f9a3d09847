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

/** The conversation that was left last. Whoever goes on to another one says so there, in one request. */
let left:
  | { workspace_id: string; conversation_id: string; end(): void; ending?: ReturnType<typeof setTimeout> }
  | undefined;
const betweenMs = 100;
let coming = 0;

/** A composer comes after the texts of its conversation. The end of the former presence waits for it until the answer is called. */
export function awaitComposer(): () => void {
  coming += 1;
  return () => {
    coming -= 1;
    endLeftSoon();
  };
}

function takeLeft() {
  const taken = left;
  clearTimeout(taken?.ending);
  left = undefined;
  return taken;
}

function endLeftSoon(): void {
  if (!left) return;
  clearTimeout(left.ending);
  left.ending = setTimeout(() => coming === 0 && takeLeft()?.end(), betweenMs);
}

/** A failed renewal is not repeated: the next one follows in seconds, and the service ends a presence by itself. */
export function announcePresence(workspace_id: string, conversation_id: string): OwnPresence {
  const path = `/workspaces/${workspace_id}/conversations/${conversation_id}/presence`;
  let typing: DraftKind | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const put = () => {
    if (document.visibilityState === 'hidden') return;
    const left_conversation_id = left?.workspace_id === workspace_id && takeLeft()?.conversation_id;
    const body = {
      ...(typing && { typing, expires_in_seconds: typingSeconds }),
      ...(left_conversation_id && { left_conversation_id }),
    };
    void request('PUT', path, body).catch(() => {});
  };
  const end = () => void request('DELETE', path, undefined, { keepalive: true }).catch(() => {});
  const change = () => (document.visibilityState === 'hidden' ? end() : put());
  const renewal = setInterval(put, renewMs);
  document.addEventListener('visibilitychange', change);
  // A switch of conversation is drawn first.
  const beginning = setTimeout(put);

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
      clearTimeout(beginning);
      clearInterval(renewal);
      clearTimeout(idle);
      document.removeEventListener('visibilitychange', change);
      takeLeft()?.end();
      left = { workspace_id, conversation_id, end };
      endLeftSoon();
    },
  };
}
