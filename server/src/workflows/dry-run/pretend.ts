import { readConsentWords } from '../../contacts/consents/consent-settings.ts';
import { agePretendedWindow, lockConversation } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { receiveMessages } from '../../messages/receive/receive-messages.ts';
import type { LockedRun } from '../run/lock-run.ts';
import { ensureConversation } from '../steps/ensure-conversation.ts';

/** Lets time pass: the window of the conversation is so much older. The clock stays, because ids of real rows follow it. */
export async function passTime({ tx, conversation }: LockedRun, seconds: number): Promise<void> {
  if (conversation) await agePretendedWindow(tx, conversation, seconds);
}

interface Identity {
  channel_type: string;
  identifier: string;
  wa_id: string | null;
  user_id: string | null;
}

const selectIdentity = statement<Identity>(`
  select i.channel_type, i.identifier, i.wa_id, i.user_id
  from channels ch join contact_identities i on i.workspace_id = ch.workspace_id and i.channel_type = ch.type
  where ch.workspace_id = $1 and ch.id = $2 and i.contact_id = $3
  order by i.created_at limit 1`);

/** Receives a message of the customer as real ones are received. Answers its id. */
export async function receivePretended(locked: LockedRun, body: string): Promise<string> {
  const { tx, clock, run } = locked;
  const { workspace_id, contact_id } = run;
  const conversation = await ensureConversation(locked);
  const [identity] = conversation ? await selectIdentity(tx, [workspace_id, conversation.channel_id, contact_id]) : [];
  if (!conversation || !identity) {
    const detail = 'The contact is on no channel, so no message can come from it.';
    throw new Refusal('unprocessable_content', { detail });
  }
  const { channel_type, identifier, wa_id, user_id } = identity;
  const [message] = await receiveMessages(tx, clock, [
    {
      ...{ workspace_id, channel_id: conversation.channel_id, channel_type },
      platform_message_id: `dry run ${newId(clock)}`,
      person: { identifier, wa_id: wa_id ?? undefined, user_id: user_id ?? undefined },
      ...{
        at: clock.now(),
        kind: 'text',
        body,
        opens_window: true,
        is_held: false,
        is_entry: false,
        is_silent: false,
        content: {},
      },
      words: await readConsentWords(tx, workspace_id),
      // An away answer is no part of the path.
      answers_away: false,
    },
  ]);
  const { id, conversation_id } = message!;
  locked.conversation = await lockConversation(tx, workspace_id, conversation_id);
  run.conversation_id = conversation_id;
  return id;
}
