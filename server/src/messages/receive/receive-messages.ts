import { limits } from '@majlis/contract';
import { enqueueAnswers } from '../../automation/enqueue-answers.ts';
import { type TriggerEvent, triggerWorkflows } from '../../automation/trigger-workflows.ts';
import { applyConsentWords } from '../../contacts/consents/apply-consent-words.ts';
import type { ConsentWords } from '../../contacts/consents/consent-words.ts';
import { findOrCreateContacts } from '../../contacts/write/find-or-create-contacts.ts';
import type { PersonIdentity } from '../../contacts/write/person-identity.ts';
import { touchContacts } from '../../contacts/write/touch-contacts.ts';
import { type ControlReport, followPlatformControl } from '../../conversations/change/follow-platform-control.ts';
import { findOrCreateConversations } from '../../conversations/find-or-create-conversations.ts';
import { touchByCustomer } from '../../conversations/touch-conversations.ts';
import { newId } from '../../database/ids.ts';
import type { Transaction } from '../../database/transaction.ts';
import { recordEvents } from '../../events/record-events.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { messageReceived } from '../events.ts';
import { answerAwayJob } from '../jobs.ts';
import type { NewMessage } from '../queries.ts';
import { enqueueFetches } from './enqueue-fetches.ts';
import { findQuoted } from './find-quoted.ts';
import { insertReported } from './insert-reported.ts';
import { linkJobsOf } from './link-quotes.ts';
import { movedTo, placeLateReactions } from './place-late-reactions.ts';
import { underStoredIds } from './under-stored-ids.ts';

/** A message of a customer, in our own terms. */
export interface InboundMessage {
  workspace_id: string;
  channel_id: string;
  channel_type: string;
  platform_message_id: string;
  person: Omit<PersonIdentity, 'workspace_id' | 'channel_type'>;
  /** The platform's timestamp. */
  at: Date;
  kind: string;
  body: string | null;
  mime?: string | undefined;
  filename?: string | undefined;
  error?: string | undefined;
  quoted_platform_id?: string | undefined;
  opens_window: boolean;
  /** The customer came by an advertisement. */
  is_entry: boolean;
  /** The platform's own agent holds the conversation. */
  is_held: boolean;
  /** A reaction that was taken back: it is stored, and nothing else follows. */
  is_silent: boolean;
  /** The words of the workspace by which customers decide on marketing. */
  words: ConsentWords;
  /** Whether the workspace answers by itself outside its hours. */
  answers_away: boolean;
  /** The platform's id of the file, which is still to be fetched. */
  platform_media_id?: string | undefined;
  /** The parts without a field in the contract. */
  content: object;
}

/**
 * Stores messages of customers, each once: the platform's id is unique on its channel, and a repeat changes nothing.
 * Contacts and conversations are found or created; a closed conversation reopens, and the window only grows. Returns the
 * new messages that say something.
 */
export async function receiveMessages(
  tx: Transaction,
  clock: Clock,
  reported: readonly InboundMessage[],
): Promise<NewMessage[]> {
  if (reported.length === 0) return [];
  const people = reported.map(({ workspace_id, channel_type, person, at }) => {
    return { workspace_id, channel_type, ...person, active_at: at };
  });
  const contacts = await findOrCreateContacts(tx, clock, people);
  const inbound = await underStoredIds(tx, reported, contacts);
  const now = clock.now();
  const keys = inbound.map((message, index) => ({ ...message, ...contacts[index]! }));
  const conversations = await findOrCreateConversations(tx, clock, keys, now);
  await followPlatformControl(tx, clock, heldIn(inbound, conversations));
  const ids = inbound.map(() => newId(clock));
  const placed = inbound.map((message, index) => {
    return { ...message, id: ids[index]!, contact_id: contacts[index]!.contact_id };
  });
  const quoted = await findQuoted(tx, placed);
  const reports = inbound.map((message, index) => {
    const reply_to_id = quoted.get(index) ?? null;
    const given = { id: ids[index]!, conversation_id: conversations[index]!, reply_to_id, created_at: now };
    return { ...message, row: toMessageRow(message, given) };
  });
  const late = await placeLateReactions(tx, reports);
  const rows = reports.map(({ row }, index) => movedTo(row, late.get(index)));
  const stored = await insertReported(tx, rows);
  const fresh = rows.flatMap((row, index) =>
    stored.has(row.id) ? [{ row, message: inbound[index]!, contact: contacts[index]!, is_late: late.has(index) }] : [],
  );
  const spoken = fresh.filter(({ message, is_late }) => !message.is_silent && !is_late);
  const received = spoken.map(({ row }) => row);
  const customerActivities = spoken.map(({ row: { workspace_id, conversation_id, id }, message, contact }) => {
    const ids = { workspace_id, conversation_id, message_id: id, identifier: contact.identifier };
    return {
      ...ids,
      at: now,
      written_at: writtenAt(message, now),
      window_expires_at: windowExpiry(message, now),
      entry_answerable_until: entryExpiry(message, now),
    };
  });
  const contactActivities = spoken.map(({ message: { workspace_id, at, person }, contact }) => {
    return { workspace_id, id: contact.contact_id, at, profile_name: person.profile_name };
  });
  const written = spoken.map(({ row: { id, workspace_id, kind, body }, message, contact }) => {
    const { channel_type, at, words } = message;
    return { workspace_id, channel_type, contact_id: contact.contact_id, message_id: id, kind, body, at, words };
  });
  // The fetch of a file records the event of its message.
  const complete = fresh.filter(({ message }) => !message.platform_media_id).map(({ row }) => row);
  const files = fresh.map(({ row, message }) => ({ ...row, platform_media_id: message.platform_media_id }));
  const triggerEvents = spoken.flatMap(({ row, contact }) => triggerEventsOf(row, contact.contact_id));
  const unanswered = spoken.flatMap(({ row, message }) =>
    message.answers_away && row.kind !== 'reaction' ? [row] : [],
  );
  const quotes = fresh.map(({ row, message: { quoted_platform_id } }) => ({ row, quoted_platform_id }));
  // One round trip; the statements run in this order, and so do their locks.
  await Promise.all([
    touchByCustomer(tx, clock, customerActivities),
    touchContacts(tx, contactActivities),
    applyConsentWords(tx, clock, written),
    recordEvents(tx, clock, complete.map(messageReceived)),
    enqueueFetches(tx, files),
    triggerWorkflows(tx, clock, triggerEvents),
    enqueueAnswers(tx, clock, received),
    enqueueJobs(tx, [...unanswered.map(answerAwayJob), ...linkJobsOf(quotes)]),
  ]);
  return received;
}

/** What messages say about the platform's own agent: it held their conversations when they were written. */
export function heldIn(
  said: readonly Pick<InboundMessage, 'workspace_id' | 'at' | 'is_held'>[],
  conversations: readonly string[],
): ControlReport[] {
  return said.flatMap(({ workspace_id, at, is_held }, index) =>
    is_held ? [{ workspace_id, conversation_id: conversations[index]!, is_held, at, is_change: false }] : [],
  );
}

/** A message may start workflows or answer one; and the customer now waits for a reply. */
function triggerEventsOf(
  { workspace_id, conversation_id, id: message_id }: NewMessage,
  contact_id: string,
): TriggerEvent[] {
  const about = { workspace_id, contact_id, conversation_id, message_id };
  return [
    { ...about, trigger: 'message_received' },
    { ...about, trigger: 'no_reply', waits_for: 'business' },
  ];
}

export function toMessageRow(
  message: Omit<InboundMessage, 'opens_window' | 'is_entry' | 'is_silent' | 'words' | 'answers_away'>,
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
    // The conversation names the contact, so that a merge changes no message.
    actor_kind: 'contact',
    actor_id: null,
    status: null,
    error: error ?? null,
    recipient: null,
    content,
    platform_message_id,
  };
}

/** No message was written later than now, also where the platform's clock is ahead. An answer from the phone would be earlier. */
function writtenAt({ at }: Pick<InboundMessage, 'at'>, now: Date): Date {
  return at < now ? at : now;
}

/** A reply within a day opens the free time of an advertisement. */
function entryExpiry(message: InboundMessage, now: Date): Date | null {
  return message.is_entry ? dayAfter(writtenAt(message, now)) : null;
}

/** The window counts from the platform's timestamp, not from the arrival of the notification. */
function windowExpiry(message: InboundMessage, now: Date): Date | null {
  return message.opens_window ? dayAfter(writtenAt(message, now)) : null;
}

function dayAfter(at: Date): Date {
  return new Date(at.getTime() + limits.window_seconds * 1000);
}
