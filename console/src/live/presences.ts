import type { LiveChange, Presence } from '@majlis/console-api';
import { useEffect, useSyncExternalStore } from 'react';
import { listenToChanges } from './changes.ts';
import { request } from './request.ts';
import { serverNow } from './session.ts';

/** Who views which conversation. A presence ends by its time, of which the service tells nothing. */
const byConversation = new Map<string, readonly Presence[]>();
const listeners = new Set<() => void>();
const followed = new Set<string>();
const none: readonly Presence[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

listenToChanges({
  onChange(change) {
    if (change.kind === 'presence' || change.kind === 'typing') take(change);
    else if (change.kind === 'removed') byConversation.delete(change.conversation_id);
  },
  onGap: () => [...followed].forEach(readAll),
  onForget() {
    byConversation.clear();
    followed.clear();
  },
});

/** Who views the conversation or types in it now, but for this person. */
export function usePresences(
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  conversation_id: string,
): readonly Presence[] {
  useEffect(() => {
    if (followed.has(workspace_id)) return;
    followed.add(workspace_id);
    void readAll(workspace_id);
  }, [workspace_id]);
  const all = useSyncExternalStore(subscribe, () => byConversation.get(conversation_id) ?? none);
  return all.length === 0 ? none : all.filter((presence) => presence.user_id !== user_id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** After a failure the next gap, or the next renewal of each presence, makes it good. */
async function readAll(workspace_id: string): Promise<void> {
  const answer = await request<{ data: Presence[] }>('GET', `/workspaces/${workspace_id}/presences`).catch(() => {});
  if (!answer) return;
  byConversation.clear();
  for (const presence of answer.data) put(presence);
  announce();
}

function take({ conversation_id = '', user_id = '', typing, expires_at }: LiveChange): void {
  if (expires_at) put({ conversation_id, user_id, expires_at, ...(typing && { typing: typing as 'reply' | 'note' }) });
  else drop(conversation_id, (presence) => presence.user_id === user_id);
  announce();
}

function put(presence: Presence): void {
  const others = byConversation.get(presence.conversation_id) ?? none;
  byConversation.set(presence.conversation_id, [
    ...others.filter(({ user_id }) => user_id !== presence.user_id),
    presence,
  ]);
}

function drop(conversation_id: string, isGone: (presence: Presence) => boolean): void {
  const before = byConversation.get(conversation_id) ?? none;
  const left = before.filter((presence) => !isGone(presence));
  if (left.length === 0) byConversation.delete(conversation_id);
  else if (left.length < before.length) byConversation.set(conversation_id, left);
}

function announce(): void {
  for (const listener of listeners) listener();
  clearTimeout(timer);
  const ends = [...byConversation.values()].flat().map(({ expires_at }) => Date.parse(expires_at));
  if (ends.length > 0) timer = setTimeout(expire, Math.max(250, Math.min(...ends) - serverNow()));
}

function expire(): void {
  const now = serverNow();
  for (const id of byConversation.keys()) drop(id, ({ expires_at }) => Date.parse(expires_at) <= now);
  announce();
}
