import { publicId } from '../../server/src/database/ids.ts';
import type { AnyJson } from './json.ts';
import { newDigits } from './messages.ts';
import { platformText, postNotification, untilNotificationsProcessed } from './notifications.ts';
import { joinWorkspace } from './people.ts';
import { newToken, wamidOf } from './platform-ids.ts';
import { startTestService } from './start-test-service.ts';

/** A customer who wrote once. */
export interface Chat {
  digits: string;
  user_id: string;
  /** The token in the ids of the first message. */
  token: string;
  wamid: string;
  id: string;
  conversation_id: string;
}

/** Starts the service with a workspace and an agent, and what reports and reads chats as the platform and the agent do. */
export async function startChats() {
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const workspace = await majlis.workspace();
  const agent = await joinWorkspace(majlis, workspace);

  async function newChat(body = 'Hello'): Promise<Chat> {
    const digits = newDigits();
    const user_id = `OM.${newDigits()}00`;
    const token = newToken();
    const first = platformText(digits, body, { id: wamidOf(digits, token), from_user_id: user_id });
    await report([first]);
    const rows = await majlis.sql<{ id: string; conversation_id: string }>(
      'select id, conversation_id from messages where platform_message_id = $1',
      [first.id],
    );
    const id = publicId('message', rows[0]!.id);
    const conversation_id = publicId('conversation', rows[0]!.conversation_id);
    return { digits, user_id, token, wamid: first.id as string, id, conversation_id };
  }

  async function report(messages: object[], field?: string): Promise<void> {
    const value = field === 'smb_message_echoes' ? { message_echoes: messages } : { messages };
    await postNotification(majlis, workspace, value, field);
    await untilNotificationsProcessed(majlis);
  }

  const at = ({ conversation_id }: Chat) => `/conversations/${conversation_id}`;
  const messagesOf = async (chat: Chat): Promise<AnyJson[]> =>
    (await workspace.api.get(`${at(chat)}/messages`)).body.data;
  const conversationOf = async (chat: Chat): Promise<AnyJson> => (await workspace.api.get(at(chat))).body;
  const threadOf = async (chat: Chat): Promise<AnyJson[]> => (await agent.at('GET', `${at(chat)}/thread`)).body.data;
  const eventsOf = async ({ conversation_id }: Chat) =>
    majlis.sql<{ type: string }>(
      `select type from events where type = 'message.received' and payload like '%' || $1 || '%'`,
      [conversation_id],
    );
  return { majlis, workspace, agent, newChat, report, messagesOf, conversationOf, threadOf, eventsOf };
}

/** A message of the customer, of a type other than text. */
export function by({ digits }: Chat, type: string, content?: object, more: object = {}) {
  return platformText(digits, '', { type, text: undefined, ...(content && { [type]: content }), ...more });
}

/** The id that the platform gives the same message where it names the person by the user id. */
export function otherId({ user_id, token }: Chat): string {
  return wamidOf(user_id, token, '\x15\x14\x00\x11');
}
