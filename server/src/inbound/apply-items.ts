import { setReplied } from '../broadcasts/queries.ts';
import { applyNumberReports } from '../channels/apply-number-reports.ts';
import { noteHistoryProgress } from '../channels/note-history-progress.ts';
import { findForWebhook, type WebhookChannel } from '../channels/queries.ts';
import { setBusinessUsername } from '../channels/set-business-username.ts';
import { followIdentityChange } from '../contacts/write/follow-identity-change.ts';
import { giveNumber } from '../contacts/write/give-number.ts';
import { learnReportedNumbers } from '../contacts/write/learn-reported-numbers.ts';
import { isAnnouncedKnown } from '../contacts/write/link-user-ids.ts';
import { isOfNobody } from '../contacts/write/move-identity.ts';
import { storeAddressBook } from '../contacts/write/name-by-address-book.ts';
import { setMarketingConsents } from '../contacts/write/set-marketing-consents.ts';
import { parseId } from '../database/ids.ts';
import { cutText } from '../database/storable-text.ts';
import type { Transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { importPhoneHistory } from '../messages/history/import-phone-history.ts';
import { advanceStatuses } from '../messages/receive/advance-statuses.ts';
import { applyHandovers } from '../messages/receive/apply-handovers.ts';
import { receiveMessages } from '../messages/receive/receive-messages.ts';
import { recordCalls } from '../messages/receive/record-calls.ts';
import { recordClick, recordGivenNumber, recordPayment } from '../messages/receive/record-message-reports.ts';
import { reviseMessages } from '../messages/receive/revise-messages.ts';
import { storeEchoes } from '../messages/receive/store-echoes.ts';
import type { ClickItem, IdentityChangeItem, PaymentItem, UserPreferenceItem } from '../platform/customer-items.ts';
import type { IgnoredItem, PlatformItem } from '../platform/items.ts';
import type { StatusItem } from '../platform/message-items.ts';
import type { Clock } from '../process/clock.ts';
import type { Resources } from '../process/resources.ts';
import { isOpenable, type SecretBox } from '../secrets/encrypt.ts';
import { applyReports } from '../templates/platform/apply-reports.ts';
import { storeVolumeTier } from '../workspaces/prices/volume-tiers.ts';
import { noticeOf, takeContinuing, withEarlyChanges } from './early-identity-changes.ts';
import { followMoved } from './hand-on-number.ts';
import { keepNotices } from './keep-notices.ts';
import { markOutdated } from './mark-outdated.ts';
import type { Placed } from './placed-item.ts';
import { retryRevisionJob } from './retry-revision.ts';
import { retryStatusJob } from './retry-status.ts';
import { toCall, toEcho, toInbound, toPerson, toPhoneMessage, toRevision } from './to-inbound.ts';
import { toPricing } from './to-pricing.ts';

/** An item of a notification, with the fingerprint (hex) of the app secret that signed it. */
export interface SignedItem {
  signed_by: string;
  /** The channel that had this secret when the notification came. */
  channel_id: string;
  item: PlatformItem;
}

export interface ApplyOptions {
  /** Leaves the kept changes of people who begin with these items for later. */
  ignores_early_changes?: boolean;
}

/**
 * Applies the reports of the platform by kind: people and their messages first, then statuses, in the lock order of the service.
 * An item reaches only channels of the app that signed it, so a workspace cannot report on another's numbers. Of a disconnected
 * channel nothing is applied.
 */
export async function applyItems(
  tx: Transaction,
  resources: Resources,
  signed: readonly SignedItem[],
  { ignores_early_changes = false }: ApplyOptions = {},
): Promise<void> {
  const { clock } = resources;
  const placed = await markOutdated(tx, await findChannels(tx, resources, signed));
  const unknown: Placed<IgnoredItem>[][] = [];
  const mayBeEarly = placed.some(({ channel, item }) => channel.has_early_changes || item.type === 'identity_change');
  const isEarly = mayBeEarly && !ignores_early_changes;
  for (const part of splitAtIdentityChanges(placed)) {
    const whole = isEarly ? splitAtIdentityChanges(await withEarlyChanges(tx, part)) : [part];
    for (const one of whole) unknown.push(await applyPeople(tx, resources, one));
  }
  const of = selectorOf(placed);
  await applyStatuses(tx, resources, of('status'));
  await applyReports(
    tx,
    clock,
    of('template_status', 'template_quality', 'template_category', 'template_change').map(withOwner),
  );
  await applyNumberReports(tx, clock, of('number_quality', 'number_name', 'capability', 'account').map(withOwner));
  for (const { channel, item } of of('business_username')) {
    const { display_phone, username = null, status, at = clock.now() } = item;
    await setBusinessUsername(tx, { ...ownerOf(channel), display_phone, username, status, at });
  }
  for (const { channel, item } of of('history_progress')) {
    const { phase = null, progress = null, is_declined = false } = item;
    await noteHistoryProgress(tx, { ...ownerOf(channel), phase, progress, is_declined });
  }
  for (const { channel, item } of of('volume_tier')) await storeVolumeTier(tx, { ...item, ...ownerOf(channel) });
  await keepNotices(tx, clock, [
    ...of('ignored'),
    ...unknown.flat(),
    ...(await applyReportsOfMessages(tx, clock, of('click', 'payment'))),
  ]);
}

/** Splits after each change of number, so that earlier messages use the old number and later ones the new. */
function splitAtIdentityChanges(placed: readonly Placed[]): Placed[][] {
  const parts: Placed[][] = [[]];
  for (const one of placed) {
    parts.at(-1)!.push(one);
    if (one.item.type === 'identity_change') parts.push([]);
  }
  return parts;
}

/** Applies messages and consents, then changes of identity. Answers, as notices, the preferences of unknown people. */
async function applyPeople(
  tx: Transaction,
  { clock, config: { bounds } }: Pick<Resources, 'clock' | 'config'>,
  part: readonly Placed[],
): Promise<Placed<IgnoredItem>[]> {
  const of = selectorOf(part);
  const received = await receiveMessages(
    tx,
    clock,
    of('message').map(({ channel, item }) => toInbound(channel, item, bounds)),
  );
  await setReplied(tx, received, clock.now());
  await storeEchoes(
    tx,
    clock,
    of('echo').map(({ channel, item }) => toEcho(channel, item, bounds)),
  );
  await importPhoneHistory(
    tx,
    clock,
    of('imported').map(({ channel, item }) => toPhoneMessage(channel, item, bounds)),
  );
  await storeAddressBook(
    tx,
    of('address').flatMap(({ channel, item: { name, at, ...ids } }) =>
      name === undefined
        ? []
        : [{ ...ownerOf(channel), person: toPerson(channel, ids), name: cutText(name, bounds.short), at }],
    ),
  );
  await recordCalls(
    tx,
    clock,
    of('call').map(({ channel, item }) => toCall(channel, item, bounds)),
  );
  await applyHandovers(
    tx,
    clock,
    of('handover').map(({ channel, item: { is_held, at = clock.now(), ...ids } }) => {
      return { ...ownerOf(channel), person: toPerson(channel, ids), is_held, at };
    }),
  );
  const revisions = of('revision').map(({ channel, item }) => toRevision(channel, item, bounds));
  const early = await reviseMessages(tx, clock, revisions);
  await enqueueJobs(
    tx,
    early.map((revision) => retryRevisionJob(revision, clock.now())),
  );
  const unknown = await setMarketingConsents(
    tx,
    clock,
    of('user_preference', 'status').flatMap((placed) => {
      const { channel, item } = placed;
      const marketing = marketingChoiceIn(item);
      if (marketing === undefined) return [];
      const person = { ...ownerOf(channel), ...toPerson(channel, item), active_at: item.at };
      return [{ person, marketing, at: item.at, placed }];
    }),
  );
  await learnReportedNumbers(
    tx,
    clock,
    of('status').map(({ channel, item }) => ({ ...ownerOf(channel), ...toPerson(channel, item) })),
  );
  await changeIdentities(tx, clock, of('identity_change'));
  return unknown.flatMap(({ placed }) => unknownPreference(placed));
}

/** The notice of a preference of an unknown person. A failed send tells the same, and stays with its message. */
function unknownPreference({
  channel,
  item,
  is_outdated,
}: Placed<UserPreferenceItem | StatusItem>): Placed<IgnoredItem>[] {
  if (item.type !== 'user_preference') return [];
  const { waba_id, phone_number_id, raw } = item;
  const reason = 'preference of an unknown person';
  const ignored = { type: 'ignored' as const, waba_id, phone_number_id, field: 'user_preferences', reason, raw };
  return [{ channel, item: ignored, is_outdated }];
}

/** A function that selects the items of given types. */
function selectorOf(placed: readonly Placed[]) {
  return <Type extends PlatformItem['type']>(...types: Type[]) =>
    placed.filter(({ item }) => (types as string[]).includes(item.type)) as Placed<
      Extract<PlatformItem, { type: Type }>
    >[];
}

/**
 * Customers may change their number or user id twice in one batch, so the changes run one after another. A change that came before the
 * one that it continues follows it at once.
 */
async function changeIdentities(
  tx: Transaction,
  clock: Clock,
  changes: readonly Placed<IdentityChangeItem>[],
): Promise<void> {
  for (const placed of changes) {
    const isFollowed = await changeIdentity(tx, clock, placed);
    if (isFollowed) await changeIdentities(tx, clock, await takeContinuing(tx, placed));
  }
}

/** Answers whether a contact has the new number or user id by this change. */
async function changeIdentity(tx: Transaction, clock: Clock, placed: Placed<IdentityChangeItem>): Promise<boolean> {
  const { channel, item } = placed;
  const { previous, current, at, is_given, platform_message_id } = item;
  const change = { ...ownerOf(channel), at, previous, current: toPerson(channel, current) };
  const isUnknown = !is_given && (await isOfNobody(tx, change)) && !(await isAnnouncedKnown(tx, change));
  if (isUnknown) await keepNotices(tx, clock, [noticeOf(placed)]);
  const all = is_given ? await giveNumber(tx, change) : await followIdentityChange(tx, clock, change);
  if (is_given && all.length > 0) await recordGivenNumber(tx, clock, { ...ownerOf(channel), platform_message_id, at });
  for (const moved of all) await followMoved(tx, moved);
  // The number beside a new user id is the present one.
  if (!is_given && current.wa_id === undefined) {
    const named = { ...ownerOf(channel), ...toPerson(channel, { ...previous, ...current }), active_at: at };
    await learnReportedNumbers(tx, clock, [named]);
  }
  return all.length > 0;
}

/** Finds the channels of items: an item about a number has its channel, one about an account every channel of it. */
async function findChannels(
  tx: Transaction,
  { secretBox }: Pick<Resources, 'secretBox'>,
  signed: readonly SignedItem[],
): Promise<Placed[]> {
  const origins = signed.map(({ item }) => ({
    waba_ids: 'waba_id' in item && item.waba_id && !('phone_number_id' in item) ? [item.waba_id] : [],
    phone_number_ids: 'phone_number_id' in item ? [item.phone_number_id] : [],
  }));
  const channels = await findForWebhook(tx, origins);
  // The secret may have changed since the verification.
  return signed.flatMap(({ signed_by, channel_id, item }, index) =>
    channels[index]!.filter(
      (channel) =>
        !channel.disconnected_at && (channel.id === channel_id || hasSecretOf(channel, signed_by, secretBox)),
    ).map((channel) => ({ channel, item, is_outdated: false })),
  );
}

/** During a rotation of SECRET_KEY, the stored fingerprint may be of the other key than that of the notification. */
function hasSecretOf(channel: WebhookChannel, signed_by: string, secretBox: SecretBox): boolean {
  const { app_secret, app_secret_fingerprint } = channel;
  if (app_secret_fingerprint.toString('hex') === signed_by) return true;
  if (secretBox.heads.old.length === 0 || !isOpenable(secretBox, app_secret)) return false;
  const fingerprints = secretBox.fingerprints(secretBox.open(app_secret, 'channels.app_secret'));
  return fingerprints.some((fingerprint) => fingerprint.toString('hex') === signed_by);
}

// "The recipient has stopped marketing messages": the error of a send, even if the notification was missed.
const stoppedMarketing = 131_050;

/** Whether the customer wants marketing, if the item says so. */
function marketingChoiceIn(item: UserPreferenceItem | StatusItem): boolean | undefined {
  if (item.type === 'user_preference') return item.marketing;
  return item.error_code === stoppedMarketing ? false : undefined;
}

async function applyStatuses(tx: Transaction, { clock }: Resources, placed: Placed<StatusItem>[]): Promise<void> {
  const reports = placed.map(({ channel, item }) => ({
    ...ownerOf(channel),
    message_id: parseId('message', item.callback_data ?? ''),
    platform_message_id: item.platform_message_id,
    status: item.status,
    error: item.error,
    pricing: toPricing(item),
    person: { wa_id: item.wa_id, user_id: item.user_id },
    at_ms: item.at?.getTime(),
  }));
  const unmatched = await advanceStatuses(tx, clock, reports);
  // Messages are stored before they are sent, so a missing message with our own id was erased. Only a status with the platform's
  // id alone may have come too early.
  const early = unmatched.filter(({ message_id }) => message_id === undefined);
  await enqueueJobs(
    tx,
    early.map((report) => retryStatusJob(report, clock.now())),
  );
}

/** Records what the platform reports about messages beyond their delivery. Answers, as notices, what names nothing that is known. */
async function applyReportsOfMessages(
  tx: Transaction,
  clock: Clock,
  placed: readonly Placed<ClickItem | PaymentItem>[],
): Promise<Placed<IgnoredItem>[]> {
  const unknown: Placed<IgnoredItem>[] = [];
  for (const { channel, item, is_outdated } of placed) {
    const { type, raw, phone_number_id, waba_id, display_phone: _, ...report } = item;
    const owned = { ...report, ...ownerOf(channel) };
    const isKnown =
      item.type === 'click'
        ? await recordClick(tx, clock, { ...owned, click_id: item.click_id })
        : await recordPayment(tx, clock, {
            ...owned,
            ...{ reference_id: item.reference_id, status: item.status },
            message_id: parseId('message', item.callback_data ?? ''),
          });
    if (isKnown) continue;
    const reason = `${type} of an unknown message`;
    const ignored = { type: 'ignored' as const, waba_id, phone_number_id, field: 'messages', reason, raw };
    unknown.push({ channel, item: ignored, is_outdated });
  }
  return unknown;
}

function withOwner<Item extends PlatformItem>({ channel, item, is_outdated }: Placed<Item>) {
  return { ...ownerOf(channel), item, is_outdated };
}

function ownerOf({ workspace_id, id, type, waba_id }: WebhookChannel) {
  return { workspace_id, channel_id: id, channel_type: type, waba_id };
}
