import type { ThreadMessage } from '@majlis/console-api';
import { request, sentenceOf } from '../../live/request.ts';
import { tell } from '../../parts/toasts.ts';

/** The reactions that are offered. The customer's app shows every emoji; these are answered with at work. */
export const offeredReactions = ['👍', '❤️', '🙏', '😊', '✅', '🎉'];

/** Reacts to a message in the name of the business. An empty emoji takes the reaction back. */
export async function react(workspace_id: string, message: ThreadMessage, emoji: string): Promise<void> {
  try {
    await request('POST', `/workspaces/${workspace_id}/conversations/${message.conversation_id}/messages`, {
      kind: 'reaction',
      body: emoji,
      reply_to_id: message.id,
    });
  } catch (error) {
    tell(sentenceOf(error), 'danger');
  }
}
