import { setReplied } from '../broadcasts/queries.ts';
import { applyNumberReports } from '../channels/apply-number-reports.ts';
import { findForWebhook, type WebhookChannel } from '../channels/queries.ts';
import { setMarketingConsents } from '../contacts/write/set-marketing-consents.ts';
import { parseId } from '../database/ids.ts';
import type { Transaction } from '../database/transaction.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import { advanceStatuses } from '../messages/receive/advance-statuses.ts';
import { receiveMessages } from '../messages/receive/receive-messages.ts';
import { storeEchoes } from '../messages/receive/store-echoes.ts';
import type { PlatformItem, StatusItem, UserPreferenceItem } from '../platform/types.ts';
import type { Clock } from '../process/clock.ts';
import type { Resources } from '../process/resources.ts';
import { applyReports } from '../templates/platform/apply-reports.ts';
import { changeIdentities } from './change-identities.ts';
import { retryStatusJob } from './retry-status.ts';
import { toEcho, toInbound, toPerson } from './to-inbound.ts';
import { toPricing } from './to-pricing.ts';

/** An item of a notification, with the fingerprint (hex) of the app secret that signed it. */
export interface SignedItem {
  signed_by: string;
  /** A channel that had this secret when the notification came. */
  channel_id: string;
  item: PlatformItem;
}

/** An item and the channel it is about. */
interface Placed<Item extends PlatformItem = PlatformItem> {
  channel: WebhookChannel;
  item: Item;
}

/**
 * Applies what the platform reported, kind by kind: people and their messages first, statuses after them, in the order
 * in which the rest of the service locks the same rows. An item reaches only channels of the app that signed it: a
 * workspace cannot report on the numbers of another.
 */
export async function applyItems(tx: Transaction, resources: Resources, signed: readonly SignedItem[]): Promise<void> {
  const { clock, log } = resources;
  const placed = await place(tx, signed);
  for (const part of partByChanges(placed)) await applyPeople(tx, clock, part);
  const of = chooserOf(placed);
  await applyStatuses(tx, resources, of('status'));
  await applyReports(
    tx,
    clock,
    of('template_status', 'template_quality', 'template_category').map(({ channel, item }) => ({
      ...ownerOf(channel),
      item,
    })),
  );
  await applyNumberReports(
    tx,
    clock,
    of('number_quality', 'number_name', 'capability', 'account').map(({ channel, item }) => ({
      ...ownerOf(channel),
      item,
    })),
  );
  for (const { item } of signed) {
    if (item.type === 'ignored') log.debug(item, 'an item of a notification was left aside');
  }
}

/** Cut behind each change of number: who wrote before it is known by the old number, who wrote after it by the new one. */
function partByChanges(placed: readonly Placed[]): Placed[][] {
  const parts: Placed[][] = [[]];
  for (const one of placed) {
    parts.at(-1)!.push(one);
    if (one.item.type === 'identity_change') parts.push([]);
  }
  return parts;
}

/** What people wrote and want, then who they are from now on. */
async function applyPeople(tx: Transaction, clock: Clock, part: readonly Placed[]): Promise<void> {
  const of = chooserOf(part);
  const received = await receiveMessages(
    tx,
    clock,
    of('message').map(({ channel, item }) => toInbound(channel, item)),
  );
  await setReplied(tx, received, clock.now());
  await storeEchoes(
    tx,
    clock,
    of('echo').map(({ channel, item }) => toEcho(channel, item)),
  );
  await setMarketingConsents(
    tx,
    of('user_preference', 'status').flatMap(({ channel, item }) => {
      const marketing = marketingChoiceIn(item);
      return marketing === undefined ? [] : [{ ...ownerOf(channel), ...item, marketing, at: item.at ?? clock.now() }];
    }),
  );
  await changeIdentities(
    tx,
    of('identity_change').map(({ channel, item }) => ({
      ...ownerOf(channel),
      previous: item.previous,
      current: toPerson(item.current),
    })),
  );
}

/** Chooses the items of given types. */
function chooserOf(placed: readonly Placed[]) {
  return <Type extends PlatformItem['type']>(...types: Type[]) =>
    placed.filter(({ item }) => (types as string[]).includes(item.type)) as Placed<
      Extract<PlatformItem, { type: Type }>
    >[];
}

/** Items about a number belong to its channel; items about an account belong to each channel of it. */
async function place(tx: Transaction, signed: readonly SignedItem[]): Promise<Placed[]> {
  const origins = signed.map(({ item }) => ({
    waba_ids: 'waba_id' in item && item.waba_id && !('phone_number_id' in item) ? [item.waba_id] : [],
    phone_number_ids: 'phone_number_id' in item ? [item.phone_number_id] : [],
  }));
  const channels = await findForWebhook(tx, origins);
  // The secret may have been replaced since: what was verified is applied.
  return signed.flatMap(({ signed_by, channel_id, item }, index) =>
    channels[index]!.filter(
      ({ id, app_secret_fingerprint }) => id === channel_id || app_secret_fingerprint.toString('hex') === signed_by,
    ).map((channel) => ({ channel, item })),
  );
}

// "The recipient has stopped marketing messages": told by a failed send where the notification of it was missed.
const stoppedMarketing = 131_050;

/** Whether the customer wants marketing, where the item says so. */
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
  }));
  const unmatched = await advanceStatuses(tx, clock, reports);
  // A message is stored before the platform hears of it: one that a status names by our own id, and that is not there,
  // was erased. Only what is known by the platform's id alone may still be on its way.
  const early = unmatched.filter(({ message_id }) => message_id === undefined);
  await enqueueJobs(
    tx,
    early.map((report) => retryStatusJob(report, clock.now())),
  );
}

function ownerOf({ workspace_id, id, type, waba_id }: WebhookChannel) {
  return { workspace_id, channel_id: id, channel_type: type, waba_id };
}
