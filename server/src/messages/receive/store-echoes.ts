import { findOrCreateContacts } from '../../contacts/write/find-or-create-contacts.ts';
import { beginActivity } from '../../contacts/write/touch-contacts.ts';
import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import { touchByBusiness } from '../../conversations/queries.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { insert } from '../queries.ts';
import { enqueueFetches } from './enqueue-fetches.ts';
import type { Inbound } from './receive-messages.ts';

/** A message that someone at the business sent from the phone app of the same number. */
export type Echo = Omit<Inbound, 'opens_window'>;

/** Stores what was sent past the service, so that the conversation is whole; our own sends come back too and stay single. */
export async function storeEchoes(tx: Transaction, clock: Clock, echoes: readonly Echo[]): Promise<void> {
  if (echoes.length === 0) return;
  const people = echoes.map(({ workspace_id, channel_type, person, at }) => {
    return { workspace_id, channel_type, ...person, active_at: at };
  });
  const contacts = await findOrCreateContacts(tx, clock, people);
  await beginActivity(
    tx,
    echoes.map(({ workspace_id, at }, index) => ({ workspace_id, id: contacts[index]!.contact_id, at })),
  );
  const keys = echoes.map((echo, index) => ({ ...echo, ...contacts[index]! }));
  const now = clock.now();
  const conversations = await findOrCreateConversations(tx, clock, keys, now);
  const rows = echoes.map((echo, index) => ({
    workspace_id: echo.workspace_id,
    id: newId(clock),
    conversation_id: conversations[index]!,
    channel_id: echo.channel_id,
    direction: 'outbound' as const,
    kind: echo.kind,
    body: echo.body,
    mime: echo.mime ?? null,
    filename: echo.filename ?? null,
    reply_to_id: null,
    actor_kind: null,
    actor_id: null,
    // The phone sent it: that is the platform's own word.
    status: 'sent',
    recipient: contacts[index]!.identifier,
    content: echo.content,
    platform_message_id: echo.platform_message_id,
    created_at: now,
  }));
  const stored = await insert(tx, rows);
  const fresh = rows.filter((row) => stored.has(row.id));
  await enqueueFetches(
    tx,
    rows.flatMap((row, index) =>
      stored.has(row.id) ? [{ ...row, ...echoes[index]!, id: row.id, created_at: now }] : [],
    ),
  );
  await touchByBusiness(
    tx,
    fresh.map((row) => ({ ...row, message_id: row.id, at: now, reopens: false, is_reply: true })),
  );
}
