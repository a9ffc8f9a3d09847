import assert from 'node:assert/strict';
import { parseId } from '../../server/src/database/ids.ts';
import type { Member } from './people.ts';
import type { RunningService, TestWorkspace } from './start-test-service.ts';

/** Makes all that happened in a conversation so many days older. */
export async function ageConversation(
  { sql }: Pick<RunningService, 'sql'>,
  conversation_id: string,
  days: number,
): Promise<void> {
  const values = [parseId('conversation', conversation_id), `${days} days`];
  await sql(`update messages set created_at = created_at - $2::interval where conversation_id = $1`, values);
  await sql(`update conversation_closings set closed_at = closed_at - $2::interval where conversation_id = $1`, values);
  await sql(`update conversations set last_message_at = last_message_at - $2::interval where id = $1`, values);
}

export async function closeConversation({ api }: TestWorkspace, conversation_id: string): Promise<void> {
  const { status, text } = await api.post(`/conversations/${conversation_id}/close`, {});
  assert.equal(status, 200, text);
}

/** Sets how many days closed conversations are kept. */
export async function setRetention(admin: Member, conversation_days: number | null) {
  const { version } = (await admin.at('GET', '/retention')).body;
  return admin.at('PUT', '/retention', { version, conversation_days });
}
