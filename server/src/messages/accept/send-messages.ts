import type { ConversationMessageSend } from '@majlis/contract';
import { type TriggerEvent, triggerWorkflows } from '../../automation/trigger-workflows.ts';
import { createContacts } from '../../contacts/write/find-or-create-contacts.ts';
import { beginActivity } from '../../contacts/write/touch-contacts.ts';
import { takeFromPlatform } from '../../conversations/change/follow-platform-control.ts';
import { type Actor, system } from '../../conversations/change/record-changes.ts';
import { createConversations, createdConversationEvents } from '../../conversations/find-or-create-conversations.ts';
import { touchByBusiness } from '../../conversations/touch-conversations.ts';
import { newId } from '../../database/ids.ts';
import { Outdated, type Transaction } from '../../database/transaction.ts';
import { Refusal } from '../../http/reply/refusal.ts';
import { enqueueJobs } from '../../jobs/enqueue.ts';
import type { Clock } from '../../process/clock.ts';
import { takePlaces } from '../../workspaces/prices/allowances.ts';
import type { QuotedMessage } from '../../workspaces/prices/quote.ts';
import { deliverMessageJob } from '../jobs.ts';
import { insertMessages, type NewMessage } from '../queries.ts';
import { isWindowOpen, refuseSend, type SendingBot, takesFromPlatform } from '../rules.ts';
import { type ComposedContent, composeContent, refuseContent } from './compose-content.ts';
import { categoryOf, isInFreeTime } from './expected-price.ts';
import { findRepeatedRecipients } from './find-repeated-recipients.ts';
import { findTargets, otherSpellings, type SendTarget, type TargetNames } from './find-targets.ts';
import { findHiddenSends, holdVisible, recordOwnConversations, refuseHiddenSend } from './limited-senders.ts';
import { addressOf, refuseTarget } from './refuse-target.ts';
import { holdUnseen, refuseUnseen } from './unseen-replies.ts';

/** A message to send, with the names of its recipient in the request. */
export interface Send {
  names: TargetNames;
  content: ConversationMessageSend;
  reopens: boolean;
  /** Who reopens it; undefined: the bot that sends, or the service. */
  reopened_by?: Actor;
  /** The kind of thing that `id` names, and its id. */
  actor: { kind: string; id: string } | undefined;
  /** Sent by a person in the console, who takes the conversation from the platform's own agent. */
  by_person?: boolean | undefined;
  /** The person who sends, where own teams limit what they see. */
  limited_user_id?: string | undefined;
  /** The newest reply that the person has seen; null: none. A colleague's newer one refuses the send. Absent: nothing is compared. */
  seen_reply_id?: string | null | undefined;
  /** The bot that sends. Its transaction has locked the conversation, so that no person takes it over meanwhile. */
  bot?: SendingBot;
  /** The broadcast of the message. Its dispatch does not delay the messages of people. */
  broadcast_id?: string;
  /** The service answers by itself, so it is no reply, and the conversation still waits for one. */
  is_automatic?: true;
}

/**
 * Accepts sends: each is stored as `queued` with the job that delivers it, or refused without a trace. Concurrent requests,
 * broadcasts and workflows share one transaction; each send is decided as if it were alone.
 */
export async function sendMessages(
  tx: Transaction,
  clock: Clock,
  sends: readonly Send[],
): Promise<(NewMessage | Refusal)[]> {
  const names = sends.map((send) => send.names);
  const targets = await findTargets(tx, clock, names);
  const hidden = await findHiddenSends(tx, sends, targets);
  const now = clock.now();
  const permitted = sends.map((send, index) =>
    hidden.has(index) ? refuseHiddenSend(send) : decide(send, targets[index]!, clock, now),
  );
  await createMissingContacts(tx, clock, permitted.filter(isDraft), now);
  const decided = await refuseOvertaken(tx, await refuseRepeats(tx, permitted));
  const drafts = decided.filter(isDraft);
  const begun = createMissingConversations(tx, clock, drafts, now);

  const messages = new Map(drafts.map((draft) => [draft, toMessage(draft, now)]));
  // Conversations are locked before their messages are stored: an erasure or a merge of the contact is waited for here. A
  // new conversation needs no update.
  const touched = drafts.filter((draft) => !begun.has(draft));
  const activities = touched.map(({ send, conversation_id, message_id }) => {
    const { names, reopens, broadcast_id, is_automatic = false } = send;
    const { workspace_id } = names;
    const is_reply = broadcast_id === undefined && !is_automatic;
    return {
      workspace_id,
      conversation_id: conversation_id!,
      message_id,
      at: now,
      reopens,
      is_reply,
      is_automatic,
      actor: reopenerOf(send),
    };
  });
  tx.pipeline(touchByBusiness(tx, clock, activities));
  for (const { send, conversation_id, takes_control } of touched) {
    const { workspace_id } = send.names;
    const actor = reopenerOf(send);
    if (takes_control) await takeFromPlatform(tx, clock, { workspace_id, conversation_id: conversation_id!, actor });
  }
  await holdVisible(tx, touched);
  await holdUnseen(tx, touched);
  await recordOwnConversations(tx, clock, [...new Set(begun.values())]);
  for (const [draft, place] of await placesOf(tx, drafts, now)) Object.assign(messages.get(draft)!, place);
  const accepted = [...messages.values()];
  tx.pipeline(insertMessages(tx, accepted));
  tx.pipeline(enqueueJobs(tx, accepted.map(deliverMessageJob)));
  const greeted = drafts.flatMap((draft) => (draft.is_greeted ? (begun.get(draft) ?? []) : []));
  const awaited = drafts.filter(isFollowedUp).map(awaitedReplyEvent);
  tx.pipeline(triggerWorkflows(tx, clock, [...createdConversationEvents(greeted), ...awaited]));
  return decided.map((draft) => (draft instanceof Refusal ? draft : messages.get(draft)!));
}

/** What a person will read of a send, or the refusal that holds at any time: of its body, or of the rows that it names. */
export async function previewSend(tx: Transaction, clock: Clock, send: Send): Promise<ComposedContent | Refusal> {
  const [target] = await findTargets(tx, clock, [send.names]);
  if ((await findHiddenSends(tx, [send], [target!])).size > 0) return refuseHiddenSend(send);
  return (
    refuseContent(send.content) ??
    refuseTarget(send, target!) ??
    composeContent(send.content, target!, send.names.identifier)
  );
}

/** How a send would be decided now. */
export interface ExpectedSend {
  contact_id: string | null;
  /** Whether it needs an open place of the messaging tier: the customer's window is closed. */
  initiates: boolean;
  /** What decides about its price, unless it is refused. */
  priced?: QuotedMessage;
  refusal?: Refusal;
}

/** Asks the rules of `sendMessages` about sends, and stores nothing. Repeats of a contact are left to the caller. */
export async function expectSends(tx: Transaction, clock: Clock, sends: readonly Send[]): Promise<ExpectedSend[]> {
  const targets = await findTargets(
    tx,
    clock,
    sends.map(({ names }) => names),
  );
  const now = clock.now();
  return sends.map((send, index) => {
    const target = targets[index]!;
    const decided = decide(send, target, clock, now);
    const { contact_id, window_expires_at } = target;
    const initiates = !isWindowOpen(window_expires_at, now);
    if (decided instanceof Refusal) return { contact_id, initiates, refusal: decided };
    return { contact_id, initiates, priced: pricedAs(decided, target, now) };
  });
}

function pricedAs({ send, channel_id, recipient }: Draft, target: SendTarget, now: Date): QuotedMessage {
  const { workspace_id } = send.names;
  const category = categoryOf(send.content, target);
  return { workspace_id, channel_id, recipient, category, is_in_free_time: isInFreeTime(target, now) };
}

function reopenerOf({ reopened_by, actor, bot }: Send): Actor {
  if (reopened_by) return reopened_by;
  return bot && actor?.kind === 'workflow' ? { kind: 'workflow', id: actor.id } : system;
}

/** A permitted send; without a conversation where the contact has none on this channel. */
interface Draft {
  send: Send;
  composed: ComposedContent;
  channel_id: string;
  channel_type: string;
  contact_id: string | null;
  is_unwritten: boolean;
  conversation_id: string | null;
  recipient: string;
  message_id: string;
  initiates: boolean;
  /** It takes the conversation from the platform's own agent. */
  takes_control: boolean;
  /** The category in whose free allowance it may have a place. */
  countable_as: string | undefined;
  is_followed_up: boolean;
  is_greeted: boolean;
}

function isDraft(decided: Draft | Refusal): decided is Draft {
  return !(decided instanceof Refusal);
}

/** The order of refusals is the contract's: the body, then the rows that it names, then the state of the conversation. */
function decide(send: Send, target: SendTarget, clock: Clock, now: Date): Draft | Refusal {
  const refused = refuseContent(send.content) ?? refuseTarget(send, target);
  if (refused) return refused;
  const composed = composeContent(send.content, target, send.names.identifier);
  if (composed instanceof Refusal) return composed;
  const { content, reopens, bot, by_person } = send;
  const closed = refuseSend(target, { kind: content.kind, reopens, bot, by_person }, now);
  if (closed) return closed;
  return {
    send,
    composed,
    channel_id: target.channel_id!,
    channel_type: target.channel_type!,
    contact_id: target.contact_id,
    is_unwritten: target.contact_id !== null && Boolean(target.is_unwritten),
    conversation_id: target.conversation_id,
    recipient: addressOf(target) ?? send.names.identifier!,
    initiates: !isWindowOpen(target.window_expires_at, now),
    takes_control: takesFromPlatform(target, send),
    countable_as: target.has_allowances && !isInFreeTime(target, now) ? categoryOf(content, target) : undefined,
    message_id: newId(clock),
    is_followed_up: target.is_followed_up,
    is_greeted: target.is_greeted,
  };
}

/** Creates the contacts of drafts without one. */
async function createMissingContacts(
  tx: Transaction,
  clock: Clock,
  drafts: readonly Draft[],
  now: Date,
): Promise<void> {
  const unknown = drafts.filter((draft) => !draft.contact_id);
  const people = unknown.map(({ send: { names }, channel_type }) => ({
    workspace_id: names.workspace_id,
    channel_type,
    identifier: names.identifier!,
    active_at: now,
    variants: otherSpellings(names.wa_id),
  }));
  const contacts = people.length > 0 ? await createContacts(tx, clock, people) : [];
  // A concurrent transaction created the contact under another spelling, and may have blocked it.
  if (contacts.some(({ is_new }) => !is_new)) throw new Outdated('a contact was created');
  unknown.forEach((draft, index) => {
    draft.contact_id = contacts[index]!.contact_id;
  });
}

/** Creates the conversations of drafts without one. Returns them by draft. */
function createMissingConversations(tx: Transaction, clock: Clock, drafts: readonly Draft[], now: Date) {
  // Contacts are locked before conversations, as everywhere.
  const unwritten = drafts.filter(({ is_unwritten }) => is_unwritten);
  const written = unwritten.map(({ send: { names }, contact_id }) => {
    return { workspace_id: names.workspace_id, id: contact_id!, at: now };
  });
  tx.pipeline(beginActivity(tx, written));
  const withoutConversation = drafts.filter((draft) => !draft.conversation_id);
  const keys = withoutConversation.map(({ send, channel_id, channel_type, contact_id, message_id }) => ({
    ...{ workspace_id: send.names.workspace_id, contact_id: contact_id!, channel_id, channel_type },
    last_business_message_id: message_id,
    assignee_id: send.limited_user_id,
  }));
  const created = createConversations(tx, clock, keys, now);
  withoutConversation.forEach((draft, index) => {
    draft.conversation_id = created[index]!.id;
  });
  return new Map(withoutConversation.map((draft, index) => [draft, created[index]!]));
}

async function refuseRepeats(tx: Transaction, decided: readonly (Draft | Refusal)[]): Promise<(Draft | Refusal)[]> {
  const drafts = decided.filter(isDraft);
  const addressed = drafts.map(({ send: { names, broadcast_id }, contact_id }) => {
    return { workspace_id: names.workspace_id, contact_id: contact_id!, broadcast_id };
  });
  const repeats = new Set([...(await findRepeatedRecipients(tx, addressed))].map((place) => drafts[place]!));
  const detail = 'The contact is another recipient of this broadcast.';
  return decided.map((draft) =>
    isDraft(draft) && repeats.has(draft) ? new Refusal('unprocessable_content', { detail }) : draft,
  );
}

async function refuseOvertaken(tx: Transaction, decided: readonly (Draft | Refusal)[]): Promise<(Draft | Refusal)[]> {
  const refusals = await refuseUnseen(tx, decided.filter(isDraft));
  return decided.map((draft) => (isDraft(draft) ? (refusals.get(draft) ?? draft) : draft));
}

/** The places of messages in free allowances, by draft. */
async function placesOf(tx: Transaction, drafts: readonly Draft[], now: Date) {
  const countable = drafts.filter(({ countable_as }) => countable_as !== undefined);
  if (countable.length === 0) return [];
  const messages = countable.map(({ send: { names }, channel_id, countable_as }) => {
    return { workspace_id: names.workspace_id, channel_id, category: countable_as! };
  });
  const places = await takePlaces(tx, messages, now);
  return countable.flatMap((draft, index) => {
    const place = places[index];
    return place ? [[draft, { allowance_category: place.category, allowance_month: place.month }] as const] : [];
  });
}

/** A message of a workflow or of the service starts no wait for a reply: the workflow would remind of its own reminders. */
function isFollowedUp({ send, is_followed_up }: Draft): boolean {
  return is_followed_up && send.actor?.kind !== 'workflow' && !send.is_automatic;
}

/** The business now waits for the customer's reply. */
function awaitedReplyEvent({ send: { names }, contact_id, conversation_id, message_id }: Draft): TriggerEvent {
  const { workspace_id } = names;
  const about = { workspace_id, contact_id: contact_id!, conversation_id: conversation_id!, message_id };
  return { ...about, trigger: 'no_reply', waits_for: 'customer' };
}

function toMessage(draft: Draft, now: Date): NewMessage {
  const { send, composed, channel_id, conversation_id, message_id, recipient } = draft;
  const { media } = composed;
  return {
    workspace_id: send.names.workspace_id,
    id: message_id,
    conversation_id: conversation_id!,
    channel_id,
    direction: 'outbound',
    kind: send.content.kind,
    body: composed.body,
    media_id: media?.id ?? null,
    filename: media?.filename ?? null,
    mime: media?.mime ?? null,
    size_bytes: media?.size_bytes ?? null,
    reply_to_id: send.names.reply_to_id ?? null,
    actor_kind: send.actor?.kind ?? null,
    actor_id: send.actor?.id ?? null,
    status: 'queued',
    recipient,
    content: composed.content,
    initiates: draft.initiates,
    ...(send.broadcast_id && { broadcast_id: send.broadcast_id }),
    created_at: now,
  };
}
