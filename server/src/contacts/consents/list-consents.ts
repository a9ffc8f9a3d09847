import type { ConsentRecord } from '@majlis/console-api';
import { publicId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';

export interface ConsentRow {
  id: string;
  consent: string;
  value: unknown;
  source: string;
  shown_text: string | null;
  message_id: string | null;
  conversation_id: string | null;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  decided_at: Date;
  recorded_at: Date;
}

const select = statement<ConsentRow>(`
  select r.id, r.consent, r.value, r.source, r.shown_text, r.message_id, m.conversation_id, r.actor_kind, r.actor_id,
    coalesce(u.name, r.actor_name) as actor_name, r.decided_at, r.recorded_at
  from consent_records r
  left join users u on u.workspace_id = r.workspace_id and u.id = r.actor_id and r.actor_kind = 'user'
  left join messages m on m.workspace_id = r.workspace_id and m.id = r.message_id
  where r.workspace_id = $1 and r.contact_id = $2
    and ($3::timestamptz is null or (r.decided_at, r.id) < ($3, $4::uuid))
  order by r.decided_at desc, r.id desc limit $5`);

/** The evidence of the consents of a contact, the latest decision first. */
export function listConsents(
  connection: Connection,
  { workspace_id, contact_id }: { workspace_id: string; contact_id: string },
  { after, count }: { after: string[] | undefined; count: number },
): Promise<ConsentRow[]> {
  const decided_at = after ? new Date(after[0]!) : null;
  return select(connection, [workspace_id, contact_id, decided_at, after?.[1] ?? null, count]);
}

export function presentConsent(row: ConsentRow): ConsentRecord {
  const { id, consent, value, source, shown_text, message_id, conversation_id } = row;
  const { actor_kind, actor_id, actor_name, decided_at, recorded_at } = row;
  return {
    id: publicId('consent_record', id),
    consent,
    ...(typeof value === 'boolean' ? { granted: value } : { value: JSON.stringify(value) }),
    source: source as ConsentRecord['source'],
    ...(shown_text !== null && { shown_text }),
    ...(message_id !== null && { message_id: publicId('message', message_id) }),
    ...(conversation_id !== null && { conversation_id: publicId('conversation', conversation_id) }),
    actor_kind: actor_kind as ConsentRecord['actor_kind'],
    ...(actor_id !== null && actor_kind === 'user' && { actor_id: publicId('user', actor_id) }),
    ...(actor_name !== null && { actor_name }),
    decided_at: decided_at.toISOString(),
    recorded_at: recorded_at.toISOString(),
  };
}
