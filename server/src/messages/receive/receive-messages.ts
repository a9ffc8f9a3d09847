import { limits } from '@majlis/contract';
import { enqueueAnswers } from '../../automation/enqueue-answers.ts';
import { type TriggerEvent, triggerWorkflows } from '../../automation/trigger-workflows.ts';
import { findOrCreateContacts, type Person } from '../../contacts/write/find-or-create-contacts.ts';
import { touchContacts } from '../../contacts/write/touch-contacts.ts';
import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import { touchByCustomer } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import type { Clock } from '../../process/clock.ts';
import { messageReceived } from '../events.ts';
import { insert, type NewMessage } from '../queries.ts';
import { enqueueFetches } from './enqueue-fetches.ts';

/** A message that a customer wrote, in our own words. */
export interface Inbound {
  workspace_id: string;
  channel_id: string;
  channel_type: string;
  platform_message_id: string;
  person: Omit<Person, 'workspace_id' | 'channel_type'>;
  /** When the customer wrote it, by the platform. */
  at: Date;
  kind: string;
  body: string | null;
  mime?: string | undefined;
  filename?: string | undefined;
  error?: string | undefined;
  quoted_platform_id?: string | undefined;
  opens_window: boolean;
  /** Of a file that is to be fetched. */
  platform_media_id?: string | undefined;
  /** What the contract has no field for, kept so that nothing is lost. */
  content: object;
}

/**
 * Stores what customers wrote, each message once: the platform's id is unique on its channel, and a repeat changes
 * nothing. Contact and conversation are found or created; a closed conversation reopens, and the window only grows.
 * Answers what was new.
 */
export async function receiveMessages(
  tx: Transaction,
  clock: Clock,
  inbound: readonly Inbound[],
): Promise<NewMessage[]> {
  if (inbound.length === 0) return [];
  const contacts = await findOrCreateContacts(
    tx,
    clock,
    inbound.map(({ workspace_id, channel_type, person, at }) => ({
      ...{ workspace_id, channel_type, ...person },
      active_at: at,
    })),
  );
  const now = clock.now();
  const conversations = await findOrCreateConversations(
    tx,
    clock,
    inbound.map((message, index) => ({ ...message, ...contacts[index]! })),
    now,
  );
  const ids = inbound.map(() => newId(clock));
  const quoted = await findQuoted(tx, inbound, ids);
  const rows = inbound.map((message, index) =>
    toRow(message, {
      id: ids[index]!,
      conversation_id: conversations[index]!,
      reply_to_id: quoted.get(index) ?? null,
      created_at: now,
    }),
  );
  const stored = await insert(tx, rows);
  const fresh = [...rows.entries()].filter(([, row]) => stored.has(row.id));
  // One round trip; they run in this order, so their locks are taken in it.
  await Promise.all([
    touchByCustomer(
      tx,
      fresh.map(([index, row]) => ({
        ...row,
        message_id: row.id,
        identifier: contacts[index]!.identifier,
        at: now,
        ...timesOf(inbound[index]!),
      })),
    ),
    touchContacts(
      tx,
      fresh.map(([index, { workspace_id }]) => {
        const { at, person } = inbound[index]!;
        return { workspace_id, id: contacts[index]!.contact_id, at, profile_name: person.profile_name };
      }),
    ),
    recordEvents(
      tx,
      clock,
      fresh.map(([, row]) => messageReceived(row)),
    ),
    enqueueFetches(
      tx,
      fresh.map(([index, row]) => ({ ...row, platform_media_id: inbound[index]!.platform_media_id })),
    ),
    triggerWorkflows(
      tx,
      clock,
      fresh.flatMap(([index, row]) => happeningsOf(row, contacts[index]!.contact_id)),
    ),
    enqueueAnswers(
      tx,
      clock,
      fresh.map(([, row]) => row),
    ),
  ]);
  return fresh.map(([, row]) => row);
}

/** A message may start workflows, or answer one; and from now on the customer waits for a reply. */
function happeningsOf(
  { workspace_id, conversation_id, id: message_id }: NewMessage,
  contact_id: string,
): TriggerEvent[] {
  const about = { workspace_id, contact_id, conversation_id, message_id };
  return [
    { ...about, trigger: 'message_received' },
    { ...about, trigger: 'no_reply', waits_for: 'business' },
  ];
}

function toRow(
  message: Inbound,
  given: Pick<NewMessage, 'id' | 'conversation_id' | 'reply_to_id' | 'created_at'>,
): NewMessage {
  const { workspace_id, channel_id, kind, body, mime, filename, error, content, platform_message_id } = message;
  return {
    ...given,
    workspace_id,
    channel_id,
    direction: 'inbound',
    kind,
    body,
    mime: mime ?? null,
    filename: filename ?? null,
    // Which contact is known by the conversation: a merge changes it there alone.
    actor_kind: 'contact',
    actor_id: null,
    status: null,
    error: error ?? null,
    recipient: null,
    content,
    platform_message_id,
  };
}

/** The window counts from the platform's own timestamp, not from when its notification arrived. */
function timesOf({ at, opens_window }: Inbound): { written_at: Date; window_expires_at: Date | null } {
  const window_expires_at = opens_window ? new Date(at.getTime() + limits.window_seconds * 1000) : null;
  return { written_at: at, window_expires_at };
}

const selectQuoted = statement<{ n: number; id: string }>(`
  select q.n, m.id
  from json_to_recordset($1) as q (n integer, workspace_id uuid, channel_id uuid, quoted_platform_id text)
  join messages m on m.channel_id = q.channel_id and m.platform_message_id = q.quoted_platform_id
  where m.workspace_id = q.workspace_id`);

/**
 * The ids of the messages that are quoted, by index: stored ones, or ones of this batch. One that was never here is not
 * among them.
 */
async function findQuoted(
  tx: Transaction,
  inbound: readonly Inbound[],
  ids: readonly string[],
): Promise<Map<number, string>> {
  const quoting = inbound.flatMap(({ workspace_id, channel_id, quoted_platform_id }, n) =>
    quoted_platform_id ? [{ n, workspace_id, channel_id, quoted_platform_id }] : [],
  );
  if (quoting.length === 0) return new Map();
  const rows = await selectQuoted(tx, [JSON.stringify(quoting)]);
  const found = new Map(rows.map(({ n, id }) => [n, id]));
  for (const { n, channel_id, quoted_platform_id } of quoting) {
    const place = inbound.findIndex(
      (other) => other.channel_id === channel_id && other.platform_message_id === quoted_platform_id,
    );
    if (!found.has(n) && place >= 0) found.set(n, ids[place]!);
  }
  return found;
}
