import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { recordEvents } from '../events/record-events.ts';
import type { Clock } from '../process/clock.ts';
import { type ChangedState, channelStateUpdated } from './events.ts';

export interface AppSecret {
  /** Sealed with the context `channels.app_secret`. */
  app_secret: Buffer;
  app_secret_fingerprint: Buffer;
}

export interface WebhookChannel extends AppSecret {
  workspace_id: string;
  id: string;
  type: string;
  phone_number_id: string;
  waba_id: string;
  /** Set for a channel whose notifications are not applied. */
  disconnected_at: Date | null;
  /** Whether the workspace answers by itself outside its hours. */
  answers_away: boolean;
  /** The words of the workspace for consents; null without its own. */
  stop_words: string[] | null;
  start_words: string[] | null;
  /** Changes of number or user id are kept, of people who were unknown then. */
  has_early_changes: boolean;
}

export interface WebhookNames {
  phone_number_ids: readonly string[];
  waba_ids: readonly string[];
}

// One index scan for each kind of name, because the indexes of connected and of former numbers are two. `offset 0` keeps the
// rows of a channel a look-up by its key: by an estimate of 1,000 rows for each notification, a join would read all channels.
const selectForWebhook = statement<WebhookChannel & { n: number }>(`
  with named as (
    select * from json_to_recordset($1) as w (n integer, phone_number_ids text[], waba_ids text[])
  )
  select found.n, c.workspace_id, c.id, c.type, c.phone_number_id, c.waba_id, c.app_secret, c.app_secret_fingerprint,
    c.disconnected_at, c.stop_words, c.start_words, c.answers_away, c.has_early_changes
  from (
    select w.n, c.workspace_id, c.id from named w join channels c on c.phone_number_id = any(w.phone_number_ids)
    where c.disconnected_at is null
    union
    select w.n, c.workspace_id, c.id from named w join channels c on c.phone_number_id = any(w.phone_number_ids)
    where c.disconnected_at is not null
    union
    select w.n, c.workspace_id, c.id from named w join channels c on c.waba_id = any(w.waba_ids)
  ) as found
  cross join lateral (
    select c.*, s.stop_words, s.start_words, h.away_message is not null as answers_away,
      exists (select from platform_notices p where p.workspace_id = c.workspace_id and p.channel_id = c.id
        and p.reason = 'identity change of an unknown person') as has_early_changes
    from channels c
    left join consent_settings s on s.workspace_id = c.workspace_id
    left join business_hours h on h.workspace_id = c.workspace_id
    where c.workspace_id = found.workspace_id and c.id = found.id offset 0
  ) c
  order by found.n, c.created_at, c.id`);

/** Finds the channels that each notification names by number or account, in all workspaces. The oldest come first. */
export async function findForWebhook(
  connection: Connection,
  names: readonly WebhookNames[],
): Promise<WebhookChannel[][]> {
  const wanted = names.map(({ phone_number_ids, waba_ids }, n) => ({ n, phone_number_ids, waba_ids }));
  const rows = await selectForWebhook(connection, [JSON.stringify(wanted)]);
  const found: WebhookChannel[][] = names.map(() => []);
  for (const { n, ...channel } of rows) found[n]!.push(channel);
  return found;
}

/** Lists the distinct app secrets of all channels in all workspaces. */
export function listAppSecrets(connection: Connection): Promise<AppSecret[]> {
  return run(
    connection,
    build
      .selectFrom('channels')
      .select(['app_secret', 'app_secret_fingerprint'])
      .distinctOn('app_secret_fingerprint')
      .orderBy('app_secret_fingerprint'),
  );
}

/** A number with its secrets, sealed with the contexts `channels.access_token` and `channels.app_secret`. */
export interface SealedNumber {
  phone_number_id: string;
  waba_id: string;
  display_phone: string | null;
  verified_name: string | null;
  messaging_tier: number | null;
  access_token: Buffer;
  app_secret: Buffer;
}

/** Lists the connected numbers of all workspaces. */
export function listNumbers(connection: Connection): Promise<SealedNumber[]> {
  return run(
    connection,
    build
      .selectFrom('channels')
      .select(['phone_number_id', 'waba_id', 'display_phone', 'verified_name', 'messaging_tier'])
      .select(['access_token', 'app_secret'])
      .where('disconnected_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id'),
  );
}

/** Records that the platform verified the callback of the channels with this verify token. False without any. */
export async function setCallbackVerified(
  connection: Connection,
  fingerprints: readonly Buffer[],
  callback_verified_at: Date,
): Promise<boolean> {
  const query = build
    .updateTable('channels')
    .set({ callback_verified_at })
    .where('verify_token_fingerprint', 'in', fingerprints)
    .returning('id');
  return (await runFirst(connection, query)) !== undefined;
}

/** The channel of a job. */
export interface ChannelRef {
  workspace_id: string;
  channel_id: string;
}

export interface ChannelAccess {
  phone_number_id: string;
  waba_id: string;
  /** Sealed with the context `channels.access_token`. */
  access_token: Buffer;
}

/** Finds the access of a connected channel, with its fault: the platform must not be called before `fault_until`. */
export function findAccess(
  connection: Connection,
  { workspace_id, channel_id }: ChannelRef,
): Promise<(ChannelAccess & { status: string | null; fault: string | null; fault_until: Date | null }) | undefined> {
  const query = build
    .selectFrom('channels')
    .select(['phone_number_id', 'waba_id', 'access_token', 'status', 'fault', 'fault_until'])
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', channel_id)
    .where('disconnected_at', 'is', null);
  return runFirst(connection, query);
}

const updateFault = statement<ChangedState & { had_fault: boolean }>(`
  update channels c set fault = $3, fault_until = $4
  from (select workspace_id, id, fault from channels where workspace_id = $1 and id = $2 for no key update) as o
  where c.workspace_id = o.workspace_id and c.id = o.id and c.access_token = $5
    and (c.fault, c.fault_until) is distinct from ($3::text, $4::timestamptz)
  returning c.workspace_id, c.id, c.status, c.quality, c.fault, o.fault is not null as had_fault`);

/**
 * Stores the reason for which the platform refuses every call of this channel, and the time of the next try. Null clears
 * it. An answer to a call with a replaced access token is ignored.
 */
export async function setFault(
  tx: Transaction,
  clock: Clock,
  { workspace_id, channel_id, access_token }: ChannelRef & Pick<ChannelAccess, 'access_token'>,
  fault: string | null,
  until: Date | null,
): Promise<void> {
  const changed = await updateFault(tx, [workspace_id, channel_id, fault, until, access_token]);
  // Each further refused call moves the time of the next try, which is no news.
  const news = changed.filter(({ had_fault }) => had_fault !== (fault !== null));
  await recordEvents(tx, clock, news.map(channelStateUpdated));
}

/** A number's state as the platform reported it. Missing members keep their value. */
export interface NumberState {
  status?: string | undefined;
  quality?: string | undefined;
  verified_name?: string | undefined;
  display_phone?: string | undefined;
  /** `null` inside means a number without a limit. */
  tier?: { messaging_tier: number | null } | undefined;
}

const updateState = statement<ChangedState & { is_news: boolean }>(`
  update channels c set status = n.status, quality = n.quality, verified_name = n.verified_name,
    display_phone = n.display_phone, messaging_tier = n.messaging_tier
  from (
    select workspace_id, id, status as old_status, quality as old_quality,
      coalesce($3, status) as status, coalesce($4, quality) as quality,
      coalesce($5, verified_name) as verified_name, coalesce(display_phone, $6) as display_phone,
      case when $7 then $8 else messaging_tier end as messaging_tier
    from channels where workspace_id = $1 and id = $2
  ) as n
  where c.workspace_id = n.workspace_id and c.id = n.id
    and (c.status, c.quality, c.verified_name, c.display_phone, c.messaging_tier)
      is distinct from (n.status, n.quality, n.verified_name, n.display_phone, n.messaging_tier)
  -- The first state of a new channel is no trouble, and no end of one.
  returning c.workspace_id, c.id, c.status, c.quality, c.fault,
    n.old_status is distinct from c.status and n.old_status is not null
      or n.old_quality is distinct from c.quality and n.old_quality is not null as is_news`);

export async function setNumberState(
  tx: Transaction,
  clock: Clock,
  workspace_id: string,
  id: string,
  { status, quality, verified_name, display_phone, tier }: NumberState,
): Promise<void> {
  const texts = [status ?? null, quality ?? null, verified_name ?? null, display_phone ?? null];
  const tiers = [tier !== undefined, tier?.messaging_tier ?? null];
  const changed = await updateState(tx, [workspace_id, id, ...texts, ...tiers]);
  await recordEvents(tx, clock, changed.filter(({ is_news }) => is_news).map(channelStateUpdated));
}

/** The settings of a channel, with sealed secrets and fingerprints. */
export interface ChannelSetup extends AppSecret {
  id: string;
  type: string;
  name: string | null;
  display_phone: string | null;
  verified_name: string | null;
  waba_id: string;
  phone_number_id: string;
  access_token: Buffer;
  verify_token: Buffer;
  verify_token_fingerprint: Buffer;
  messaging_tier: number | null;
  /** The platform's path for marketing templates. */
  marketing_route: string;
  /** The calendar of its prices; null: the workspace's. */
  timezone: string | null;
}

/** An existing channel with its workspace, and whether the platform has reported its tier. */
export interface StandingChannel extends ChannelSetup {
  workspace_id: string;
  status: string | null;
  /** When a person last changed it. */
  changed_at: Date | null;
  disconnected_at: Date | null;
}

/**
 * Locks the channels with these numbers, in one order: those that are connected in any workspace, then the disconnected ones of
 * this workspace.
 */
export function lockByNumber(
  connection: Connection,
  workspace_id: string,
  phone_number_ids: readonly string[],
): Promise<StandingChannel[]> {
  const query = build
    .selectFrom('channels')
    .select(['workspace_id', 'id', 'type', 'name', 'status', 'display_phone', 'verified_name', 'waba_id'])
    .select(['phone_number_id', 'access_token', 'app_secret', 'app_secret_fingerprint'])
    .select([
      'verify_token',
      'verify_token_fingerprint',
      'messaging_tier',
      'changed_at',
      'disconnected_at',
      'marketing_route',
      'timezone',
    ])
    .where('phone_number_id', 'in', phone_number_ids)
    .where((is) => is.or([is('disconnected_at', 'is', null), is('workspace_id', '=', workspace_id)]))
    .orderBy('phone_number_id')
    .orderBy('disconnected_at', (order) => order.asc().nullsFirst())
    .forNoKeyUpdate();
  return phone_number_ids.length === 0 ? Promise.resolve([]) : run(connection, query);
}

/** False if another channel took the number in the meantime. */
export async function insertChannel(
  connection: Connection,
  workspace_id: string,
  channel: Omit<ChannelSetup, 'marketing_route' | 'timezone'> &
    Partial<ChannelSetup> & { changed_at?: Date; created_at: Date },
): Promise<boolean> {
  const query = build
    .insertInto('channels')
    .values({ ...channel, workspace_id })
    .onConflict((conflict) => conflict.column('phone_number_id').where('disconnected_at', 'is', null).doNothing())
    .returning('id');
  return (await run(connection, query)).length > 0;
}

/** `clears_fault` lets the platform be called again at once, because the refused credentials were replaced. */
export async function updateChannel(
  connection: Connection,
  workspace_id: string,
  { id, ...setup }: ChannelSetup,
  clears_fault: boolean,
): Promise<void> {
  const query = build
    .updateTable('channels')
    .set({ ...setup, ...(clears_fault && { fault: null, fault_until: null }) })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id);
  await run(connection, query);
}

/** What a person changes of a channel. */
export interface SetupChange extends Partial<Omit<ChannelSetup, 'id' | 'type' | 'phone_number_id'>> {
  fault?: null;
  fault_until?: null;
  callback_verified_at?: null;
  disconnected_at?: Date | null;
  changed_at: Date;
}

export async function changeSetup(
  connection: Connection,
  workspace_id: string,
  id: string,
  change: SetupChange,
): Promise<void> {
  const query = build.updateTable('channels').set(change).where('workspace_id', '=', workspace_id).where('id', '=', id);
  await run(connection, query);
}

/** The account that holds a workspace's templates: that of its first channel (open-points.md). */
export function findFirstAccount(
  connection: Connection,
  workspace_id: string,
): Promise<{ channel_id: string; waba_id: string } | undefined> {
  return runFirst(connection, accountsOf(workspace_id));
}

/** The first channel of an account, with its access token. */
export function findAccountAccess(
  connection: Connection,
  { workspace_id, waba_id }: { workspace_id: string; waba_id: string },
): Promise<{ channel_id: string; waba_id: string; access_token: Buffer } | undefined> {
  return runFirst(connection, accountsOf(workspace_id).select('access_token').where('waba_id', '=', waba_id));
}

function accountsOf(workspace_id: string) {
  return build
    .selectFrom('channels')
    .select(['id as channel_id', 'waba_id'])
    .where('workspace_id', '=', workspace_id)
    .where('disconnected_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1);
}
