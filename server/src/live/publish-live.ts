import type { LiveKind } from '@majlis/console-api';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

/** A change to tell the streams of a workspace. Triggers publish the changes of stored rows by themselves. */
export interface PublishedChange {
  workspace_id: string;
  kind: LiveKind;
  /** Only who may see the conversation is told. */
  conversation_id?: string;
  /** The id of the user, message or other object that the kind is about. */
  object_id?: string;
  /** The one user to tell. */
  for_user_id?: string;
  /** Further members of the event. Never a text of a customer. */
  details?: Record<string, string | number | boolean | null>;
}

const insert = statement(`
  insert into live_changes (workspace_id, kind, conversation_id, object_id, for_user_id, details)
  select workspace_id, kind, conversation_id, object_id, for_user_id, details
  from json_to_recordset($1) as n
    (workspace_id uuid, kind text, conversation_id uuid, object_id uuid, for_user_id uuid, details json)`);

/** Publishes changes once the transaction of the connection commits. Streams of all processes tell them within 100 ms. */
export async function publishLive(connection: Connection, changes: readonly PublishedChange[]): Promise<void> {
  if (changes.length > 0) await insert(connection, [JSON.stringify(changes)]);
}
