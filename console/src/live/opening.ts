import type { ConversationOpening } from '@majlis/console-api';
import { request } from './request.ts';

const asked = new Map<string, Promise<ConversationOpening>>();
/** Conversations of which more parts are going to ask. */
const held = new Map<string, Promise<void>>();

/**
 * What the header and the composer of a conversation show. All parts that ask within one moment share a request, which begins
 * after the last of them has asked: a change that one is told of later is read again.
 */
export function readOpening(workspace_id: string, conversation_id: string): Promise<ConversationOpening> {
  const path = `/workspaces/${workspace_id}/conversations/${conversation_id}/opening`;
  const known = asked.get(path);
  if (known) return known;
  const read = new Promise((resolve) => setTimeout(resolve))
    .then(() => held.get(conversation_id))
    .then(() => {
      asked.delete(path);
      return request<ConversationOpening>('GET', path);
    });
  asked.set(path, read);
  return read;
}

/** Some parts of the conversation are not drawn yet. The reading waits for them until the answered function is called. */
export function holdOpening(conversation_id: string): () => void {
  let release = () => {};
  const drawn = new Promise<void>((resolve) => {
    release = resolve;
  });
  held.set(conversation_id, drawn);
  return () => {
    if (held.get(conversation_id) === drawn) held.delete(conversation_id);
    release();
  };
}
