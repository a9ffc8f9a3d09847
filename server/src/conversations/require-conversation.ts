import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { refuseHidden } from './refuse-hidden.ts';

/** A person who looks at conversations of a workspace. */
export interface Viewer {
  workspace_id: string;
  user_id: string;
  /** Sees only the conversations that are assigned to them or to a team of theirs. */
  own_teams_only: boolean;
}

const selectConversation = statement<{ found: boolean }>(`
  select true as found from conversations where workspace_id = $1 and id = $2 and contact_id is not null`);

/** The UUID of a conversation that the person may see; 404 for any other, as for an unknown one. */
export async function requireConversation(connection: Connection, viewer: Viewer, public_id: string): Promise<string> {
  const id = requireId('conversation', public_id);
  const isFound = (await selectConversation(connection, [viewer.workspace_id, id])).length > 0;
  if (!isFound) throw new Refusal('not_found');
  await refuseHidden(connection, viewer, { conversation_id: id });
  return id;
}
