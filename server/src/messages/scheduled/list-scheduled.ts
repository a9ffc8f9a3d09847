import { mostScheduledOfConversation, type ScheduledMessage } from '@majlis/console-api';
import { requireConversation, type Viewer } from '../../conversations/require-conversation.ts';
import type { Connection } from '../../database/pool.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { requireId } from '../../http/require-id.ts';
import type { ScheduledTarget } from './change-scheduled.ts';
import { presentScheduled } from './present.ts';
import { findScheduled, listWaiting } from './queries.ts';

export async function listScheduled(
  connection: Connection,
  viewer: Viewer,
  public_id: string,
): Promise<ScheduledMessage[]> {
  const conversation_id = await requireConversation(connection, viewer, public_id);
  const { workspace_id } = viewer;
  const rows = await listWaiting(connection, { workspace_id, conversation_id }, mostScheduledOfConversation);
  return rows.map(presentScheduled);
}

/** 404 for one of another conversation. */
export async function readScheduled(
  connection: Connection,
  viewer: Viewer,
  { conversation_id, scheduled_message_id }: ScheduledTarget,
): Promise<ScheduledMessage> {
  const id = requireId('scheduled_message', scheduled_message_id);
  const of = await requireConversation(connection, viewer, conversation_id);
  const row = await findScheduled(connection, { workspace_id: viewer.workspace_id, id });
  if (row?.conversation_id !== of) throw new Refusal('not_found');
  return presentScheduled(row);
}
