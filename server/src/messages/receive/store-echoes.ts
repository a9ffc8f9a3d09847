import { endAgentProposals } from '../../automation/proposals.ts';
import { findOrCreateContacts } from '../../contacts/write/find-or-create-contacts.ts';
import { beginActivity } from '../../contacts/write/touch-contacts.ts';
import { followPlatformControl } from '../../conversations/change/follow-platform-control.ts';
import { system } from '../../conversations/change/record-changes.ts';
import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import { touchByBusiness } from '../../conversations/touch-conversations.ts';
import { newId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Clock } from '../../process/clock.ts';
import { enqueueFetches } from './enqueue-fetches.ts';
import { findByToken } from './find-by-token.ts';
import { findQuoted } from './find-quoted.ts';
import { insertReported } from './insert-reported.ts';
import { heldIn, type InboundMessage, toMessageRow } from './receive-messages.ts';

/** A message that the business sent from the phone app of the same number, or the platform's own agent. */
export type Echo = Omit<InboundMessage, 'opens_window' | 'is_entry' | 'words' | 'answers_away'>;

/** Stores messages that were not sent here, so that the conversation is whole. Echoes of our own sends change nothing. */
export async function storeEchoes(tx: Transaction, clock: Clock, echoes: readonly Echo[]): Promise<void> {
  if (echoes.length === 0) return;
  const people = echoes.map(({ workspace_id, channel_type, person, at }) => {
    return { workspace_id, channel_type, ...person, active_at: at };
  });
  const contacts = await findOrCreateContacts(tx, clock, people);
  const written = echoes.map(({ workspace_id, at }, index) => ({ workspace_id, id: contacts[index]!.contact_id, at }));
  await beginActivity(tx, written);
  const keys = echoes.map((echo, index) => ({ ...echo, ...contacts[index]! }));
  const now = clock.now();
  const conversations = await findOrCreateConversations(tx, clock, keys, now);
  await followPlatformControl(tx, clock, heldIn(echoes, conversations));
  const ids = echoes.map(() => newId(clock));
  const placed = echoes.map((echo, index) => ({ ...echo, id: ids[index]!, contact_id: contacts[index]!.contact_id }));
  const quoted = await findQuoted(tx, placed);
  const rows = echoes.map((echo, index) => {
    const named = { id: ids[index]!, conversation_id: conversations[index]!, reply_to_id: quoted.get(index) ?? null };
    const given = { ...named, created_at: now };
    const recipient = contacts[index]!.identifier;
    // The phone has sent it, so the platform has it.
    const sent = { direction: 'outbound' as const, actor_kind: null, status: 'sent', error: null, recipient };
    return { ...toMessageRow(echo, given), ...sent };
  });
  const renamed = await findRenamed(tx, placed);
  const stored = await insertReported(
    tx,
    rows.filter((_, index) => !renamed.has(index)),
  );
  const fresh = rows.flatMap((row, index) => (stored.has(row.id) ? [{ row, echo: echoes[index]! }] : []));
  const files = fresh.map(({ row, echo }) => ({ ...row, platform_media_id: echo.platform_media_id }));
  await enqueueFetches(tx, files);
  const spoken = fresh.filter(({ echo }) => !echo.is_silent);
  const activities = spoken.map(({ row: { workspace_id, conversation_id, id } }) => {
    return { workspace_id, conversation_id, message_id: id, at: now, reopens: false, is_reply: true, actor: system };
  });
  await touchByBusiness(tx, clock, activities);
  // A person has answered from the phone.
  for (const { workspace_id, conversation_id: id } of activities) {
    await endAgentProposals(tx, clock, { workspace_id, id }, { state: 'overtaken', reason: 'answered' });
  }
}

// Both ids come within a moment. Many echoes of one conversation may come at once.
const latestOfEcho = 100;

// Messages of the same batch are not stored yet.
const selectRepeated = statement<{ n: number }>(`
  with batch as materialized (
    select *, platform_message_token(platform_message_id) as token
    from json_to_recordset($1) as b (n integer, channel_id uuid, contact_id uuid, platform_message_id text)
  )
  select distinct later.n from batch later join batch earlier
    on earlier.channel_id = later.channel_id and earlier.contact_id = later.contact_id and earlier.token = later.token
    and earlier.n < later.n and earlier.platform_message_id <> later.platform_message_id`);

/** The indexes of echoes that are stored, or come before, under another id: the platform names one message by the number or by the user id. */
async function findRenamed(tx: Transaction, echoes: readonly (Echo & { contact_id: string })[]): Promise<Set<number>> {
  const references = echoes.map(({ workspace_id, channel_id, contact_id, platform_message_id }, n) => {
    return { n, workspace_id, channel_id, contact_id, platform_message_id };
  });
  const found = await findByToken(tx, references, latestOfEcho);
  const renamed = found.filter(({ n, platform_message_id }) => platform_message_id !== echoes[n]!.platform_message_id);
  const repeated = echoes.length > 1 ? await selectRepeated(tx, [JSON.stringify(references)]) : [];
  return new Set([...renamed, ...repeated].map(({ n }) => n));
}
