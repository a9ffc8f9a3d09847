import { type Before, beforeHeader } from '@majlis/console-api/before';
import type { Conversation } from '@majlis/contract';
import { conversations } from './conversations.ts';
import { requestOnce } from './request-once.ts';

export interface Changed {
  answer: Conversation;
  /** What really stood before: this page may not have heard of a colleague's change. */
  before: Before;
}

/** The last change of each conversation that has no answer yet. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Changes a conversation on the server, and here by the answer. A change begins after the former one of the conversation: none
 * overtakes another that is asked again.
 */
export async function changeConversation(method: string, path: string, body?: object): Promise<Changed> {
  const conversation = path.slice(0, path.lastIndexOf('/'));
  const former = underWay.get(conversation);
  const change = (async () => {
    await former?.catch(() => {});
    return perform(method, path, body);
  })();
  underWay.set(conversation, change);
  try {
    return await change;
  } finally {
    if (underWay.get(conversation) === change) underWay.delete(conversation);
  }
}

async function perform(method: string, path: string, body?: object): Promise<Changed> {
  let told = '{}';
  const onHeaders = (headers: Headers) => {
    told = headers.get(beforeHeader) ?? told;
  };
  const answer = await requestOnce<Conversation>(method, path, body, { onHeaders });
  conversations.putChanged(answer);
  return { answer, before: JSON.parse(told) };
}
