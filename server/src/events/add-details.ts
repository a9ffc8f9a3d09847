import type { EventContact, EventMessageDetails, MessageEventDetails } from '@majlis/contract';
import { parseId, publicId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { readMember } from '../platform/read-json.ts';
import { readChoiceId } from '../platform/webhook/read-choice-id.ts';
import { readFormAnswers } from '../platform/webhook/read-form-answers.ts';
import { readReferral } from '../platform/webhook/read-referral.ts';
import { readOrder, readUntoldInteractive } from '../platform/webhook/read-untold.ts';

/** An event as it is stored. */
export interface StoredEvent {
  workspace_id: string;
  /** The envelope with the contract's members alone. */
  payload: string;
}

interface EventBody {
  data: {
    message?: { id: string; status?: string };
    conversation?: { id: string };
    contact?: { id: string };
    media?: { id: string };
  };
}

interface DetailsRow {
  n: number;
  message_id: string | null;
  media_id: string | null;
  filename: string | null;
  mime: string | null;
  size_bytes: number | null;
  reply_to_id: string | null;
  actor_kind: string | null;
  actor_id: string | null;
  error: string | null;
  raw: unknown;
  broadcast_id: string | null;
  created_at: Date | null;
  contact_id: string | null;
  name: string | null;
  channel_id: string | null;
  channel_type: string | null;
  identifier: string | null;
}

// A conversation without a contact is being erased. A limit makes each search one of a primary key, whatever the statistics of a young table say.
const select = statement<DetailsRow>(`
  select r.n, m.id as message_id, m.media_id, m.filename, m.mime, m.size_bytes, m.reply_to_id, m.actor_kind,
    case when m.actor_kind = 'contact' then c.contact_id else m.actor_id end as actor_id, m.error, 
    case when m.direction = 'inbound' then json_build_object('interactive', m.content #> '{raw,interactive}',
      'button', m.content #> '{raw,button}', 'referral', m.content #> '{raw,referral}', 'context', m.content #> '{raw,context}',
      'order', m.content #> '{raw,order}') end as raw,
    m.broadcast_id, m.created_at, k.id as contact_id, k.name, c.channel_id, c.channel_type,
    coalesce(c.identifier,
      (select i.identifier from contact_identities i
       where i.workspace_id = r.workspace_id and i.contact_id = c.contact_id and i.channel_type = c.channel_type
       order by i.created_at, i.identifier limit 1)) as identifier
  from json_to_recordset($1) as r
    (n integer, workspace_id uuid, message_id uuid, conversation_id uuid, contact_id uuid)
  left join lateral (
    select * from conversations c where c.workspace_id = r.workspace_id and c.id = r.conversation_id
      and c.contact_id is not null limit 1) c on true
  left join lateral (
    select * from messages m where m.workspace_id = r.workspace_id and m.id = r.message_id
      and m.conversation_id = c.id limit 1) m on true
  left join lateral (
    select * from contacts k where k.workspace_id = r.workspace_id and k.id = coalesce(c.contact_id, r.contact_id)
    limit 1) k on true`);

/**
 * Adds the details to the data of events. They are read when the event is sent and stored nowhere, so an erasure reaches them:
 * what was erased is not added. Returns the envelopes, in the order of the events.
 */
export async function addDetails(connection: Connection, events: readonly StoredEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const bodies = events.map(({ payload }) => JSON.parse(payload) as EventBody);
  const refs = bodies.map(({ data }, n) => ({
    n,
    workspace_id: events[n]!.workspace_id,
    message_id: data.message && parseId('message', data.message.id),
    conversation_id: data.conversation && parseId('conversation', data.conversation.id),
    contact_id: data.contact && parseId('contact', data.contact.id),
  }));
  const found = new Map((await select(connection, [JSON.stringify(refs)])).map((row) => [row.n, row]));
  return bodies.map((body, n) => JSON.stringify({ ...body, data: detail(body.data, found.get(n)!) }));
}

function detail(data: EventBody['data'], row: DetailsRow): object {
  const details: MessageEventDetails = {
    ...(data.message && row.message_id !== null && { message: { ...data.message, ...messageOf(data.message, row) } }),
    ...(row.contact_id !== null && { contact: contactOf(row, row.contact_id) }),
    ...(row.channel_id !== null && { channel: { id: publicId('channel', row.channel_id) } }),
    ...(row.broadcast_id !== null && { broadcast: { id: publicId('broadcast', row.broadcast_id) } }),
  };
  return { ...data, ...details };
}

const actorKinds = ['contact', 'user', 'ai_agent', 'workflow', 'broadcast'] as const;

function messageOf({ status }: { status?: string }, row: DetailsRow): EventMessageDetails {
  const actorKind = actorKinds.find((kind) => kind === row.actor_kind);
  const button_id = readChoiceId(row.raw);
  const answers = readFormAnswers(readMember(row.raw, 'interactive'));
  const referral = readReferral(row.raw);
  const order = readOrder(row.raw);
  const interactive = readUntoldInteractive(row.raw);
  return {
    ...(row.media_id !== null && { media_id: publicId('media', row.media_id) }),
    ...(row.filename !== null && { filename: row.filename }),
    ...(row.mime !== null && { mime: row.mime }),
    ...(row.size_bytes !== null && { size_bytes: row.size_bytes }),
    ...(row.reply_to_id !== null && { reply_to_id: publicId('message', row.reply_to_id) }),
    ...(row.actor_kind !== null && { actor_kind: row.actor_kind }),
    ...(actorKind && row.actor_id !== null && { actor_id: publicId(actorKind, row.actor_id) }),
    // An event of an earlier status may be sent after the failure.
    ...(row.error !== null && (status === undefined || status === 'failed') && { error: row.error }),
    ...(button_id !== undefined && { button_id }),
    ...(answers && { answers }),
    ...(referral && { referral }),
    ...(order && { order }),
    ...(interactive && { interactive }),
    ...(row.created_at !== null && { created_at: row.created_at.toISOString() }),
  };
}

function contactOf({ name, channel_type, identifier }: DetailsRow, contact_id: string): EventContact {
  return {
    id: publicId('contact', contact_id),
    ...(name !== null && { name }),
    ...(channel_type !== null && { channel_type }),
    ...(identifier !== null && { identifier }),
  };
}
