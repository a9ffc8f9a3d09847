import { refuseHidden } from '../conversations/refuse-hidden.ts';
import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { PersonCaller } from './authenticate-person.ts';

interface LimitedRequest {
  /** The parameters of the path. */
  params: unknown;
  /** Whether the operation reaches customers of the whole workspace. */
  whole_workspace: boolean | undefined;
}

/**
 * Refuses a person whose own teams limit what they see: 404 for what the path names and they may not see, and 403 for an operation
 * that cannot be kept to their teams. What a query or a body leads to is asked by its use case.
 */
export async function refuseBeyondLimit(
  connection: Connection,
  caller: PersonCaller,
  { params, whole_workspace }: LimitedRequest,
): Promise<void> {
  if (!caller.own_teams_only) return;
  if (whole_workspace) {
    throw new Refusal('role_insufficient', {
      detail:
        'This reaches customers of all teams, and you see those of your own teams alone. Ask somebody who sees all.',
    });
  }
  const named = params as Partial<Record<'conversation_id' | 'contact_id' | 'message_id' | 'media_id', string>>;
  await refuseHidden(connection, caller, {
    conversation_id: named.conversation_id && parseId('conversation', named.conversation_id),
    contact_id: named.contact_id && parseId('contact', named.contact_id),
    message_id: named.message_id && parseId('message', named.message_id),
    media_id: named.media_id && parseId('media', named.media_id),
  });
}
