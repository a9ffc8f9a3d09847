import { type Before, beforeHeader } from '@majlis/console-api/before';
import type { Conversation } from '@majlis/contract';
import { conversations } from './conversations.ts';
import { requestOnce } from './request-once.ts';

export interface Changed {
  answer: Conversation;
  /** What really stood before: this page may not have heard of a colleague's change. */
  before: Before;
}

/** Changes a conversation on the server, and here by the answer. */
export async function changeConversation(method: string, path: string, body?: object): Promise<Changed> {
  let told = '{}';
  const onHeaders = (headers: Headers) => {
    told = headers.get(beforeHeader) ?? told;
  };
  const answer = await requestOnce<Conversation>(method, path, body, { onHeaders });
  conversations.putChanged(answer);
  return { answer, before: JSON.parse(told) };
}
