import type { LockedConversation } from '../../conversations/queries.ts';
import { findSurveyText } from '../../conversations/settings.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import type { Clock } from '../../process/clock.ts';
import { addNote } from '../notes/add-note.ts';
import { sendMessages } from './send-messages.ts';

/**
 * Sends the satisfaction survey under the rules of every send, while the conversation is open. Returns the id of its
 * message, or null where a rule refuses it: a note in the conversation then gives the reason.
 */
export async function sendSurveyMessage(
  tx: Transaction,
  clock: Clock,
  conversation: LockedConversation,
  user_id: string | null,
): Promise<string | null> {
  const { workspace_id, id } = conversation;
  const [survey] = await sendMessages(tx, clock, [
    {
      names: { workspace_id, conversation_id: id },
      content: { kind: 'text', body: await findSurveyText(tx, workspace_id) },
      reopens: false,
      actor: user_id ? { kind: 'user', id: user_id } : undefined,
    },
  ]);
  if (!(survey instanceof Refusal)) return survey!.id;
  const body = `The satisfaction survey was not sent (${survey.code}). ${survey.body.title}.`;
  await addNote(tx, clock, conversation, { body, user_id: undefined });
  return null;
}
