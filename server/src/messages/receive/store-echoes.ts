import { endAgentProposals } from '../../automation/proposals.ts';
import { findOrCreateReported } from '../../contacts/write/find-or-create-reported.ts';
import { beginActivity } from '../../contacts/write/touch-contacts.ts';
import { followPlatformControl } from '../../conversations/change/follow-platform-control.ts';
import { system } from '../../conversations/change/record-changes.ts';
import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import { markLate, touchByBusiness } from '../../conversations/touch-conversations.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { enqueueFetches } from './enqueue-fetches.ts';
import { findQuoted } from './find-quoted.ts';
import { insertReported } from './insert-reported.ts';
import { linkJobsOf } from './link-quotes.ts';
import { movedTo, placeLateReactions } from './place-late-reactions.ts';
import { heldIn, type InboundMessage, toMessageRow } from './receive-messages.ts';
import { underStoredIds } from './under-stored-ids.ts';

/** A message that the business sent from the phone app of the same number, or the platform's own agent. */
export type Echo = Omit<InboundMessage, 'opens_window' | 'is_entry' | 'words' | 'answers_away'>;

/** Stores messages that were not sent here, so that the conversation is whole. Echoes of our own sends change nothing. */
export async function storeEchoes(tx: Transaction, clock: Clock, reported: readonly Echo[]): Promise<void> {
  if (reported.length === 0) return;
  const contacts = await findOrCreateReported(tx, clock, reported);
  const echoes = await underStoredIds(tx, reported, contacts);
  const written = echoes.map(({ workspace_id, at }, index) => ({ workspace_id, id: contacts[index]!.contact_id, at }));
  await beginActivity(tx, written);
  const keys = echoes.map((echo, index) => ({ ...echo, ...contacts[index]! }));
  const now = clock.now();
  const conversations = await findOrCreateConversations(tx, clock, keys, now);
  await followPlatformControl(tx, clock, heldIn(echoes, conversations));
  const ids = echoes.map(() => newId(clock));
  const placed = echoes.map((echo, index) => ({ ...echo, id: ids[index]!, contact_id: contacts[index]!.contact_id }));
  const quoted = await findQuoted(tx, placed);
  const told = echoes.map((echo, index) => {
    const named = { id: ids[index]!, conversation_id: conversations[index]!, reply_to_id: quoted.get(index) ?? null };
    const given = { ...named, created_at: now };
    const recipient = contacts[index]!.identifier;
    // The phone has sent it, so the platform has it.
    const sent = { direction: 'outbound' as const, actor_kind: null, status: 'sent', error: null, recipient };
    return { ...echo, row: { ...toMessageRow(echo, given), ...sent } };
  });
  const late = await placeLateReactions(tx, told);
  const rows = told.map(({ row }, index) => movedTo(row, late.get(index)));
  const stored = await insertReported(tx, rows);
  const fresh = rows.flatMap((row, index) =>
    stored.has(row.id) ? [{ row, echo: echoes[index]!, is_overtaken: late.has(index) }] : [],
  );
  const files = fresh.map(({ row, echo }) => ({ ...row, platform_media_id: echo.platform_media_id }));
  await enqueueFetches(tx, files);
  const quotes = fresh.map(({ row, echo: { quoted_platform_id } }) => ({ row, quoted_platform_id }));
  await enqueueJobs(tx, linkJobsOf(quotes));
  const spoken = fresh.filter(({ echo, is_overtaken }) => !echo.is_silent && !is_overtaken);
  const reports = spoken.map(({ row: { workspace_id, conversation_id, id }, echo }) => {
    const times = { at: now, written_at: echo.at < now ? echo.at : now };
    return { workspace_id, conversation_id, message_id: id, ...times, reopens: false, is_reply: true, actor: system };
  });
  const activities = await markLate(tx, reports);
  await touchByBusiness(tx, clock, activities);
  // A person has answered from the phone.
  for (const { workspace_id, conversation_id: id } of activities.filter(({ is_late }) => !is_late)) {
    await endAgentProposals(tx, clock, { workspace_id, id }, { state: 'overtaken', reason: 'answered' });
  }
}
