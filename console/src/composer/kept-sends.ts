import { keptNames, keptPrefix } from './kept-prefix.ts';

/**
 * What a reload needs to go on with a send: names alone. The text is in the draft on the service, so nothing of customers is in
 * the browser's storage (danger C8).
 */
export interface KeptSend {
  key: string;
  user_id: string;
  workspace_id: string;
  conversation_id: string;
  mode: 'reply' | 'note';
  kind: string;
  draft_version?: string;
  media_id?: string;
  reply_to_id?: string;
  seen_reply_id?: string;
}

const mostKept = 100;

/** Answers whether a reload will know the send. */
export function keepSend(send: KeptSend): boolean {
  if (keptSends().length >= mostKept) return false;
  try {
    sessionStorage.setItem(`${keptPrefix}${send.key}`, JSON.stringify(send));
    return true;
  } catch {
    // A browser may refuse to store, or have no room.
    return false;
  }
}

export function forgetSend(key: string): void {
  const name = `${keptPrefix}${key}`;
  if (keptNames().includes(name)) sessionStorage.removeItem(name);
}

/** In the order in which they were kept. */
export function keptSends(): KeptSend[] {
  return keptNames()
    .map((name) => JSON.parse(sessionStorage.getItem(name)!) as KeptSend)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
