import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';

export interface AppSecret {
  /** Sealed in the place `channels.app_secret`. */
  app_secret: Buffer;
  app_secret_fingerprint: Buffer;
}

export interface WebhookChannel extends AppSecret {
  workspace_id: string;
  id: string;
  type: string;
  phone_number_id: string;
  waba_id: string;
}

export interface WebhookNames {
  phone_number_ids: readonly string[];
  waba_ids: readonly string[];
}

// Two look-ups by index rather than one with "or".
const selectForWebhook = statement<WebhookChannel & { n: number }>(`
  with named as (
    select * from json_to_recordset($1) as w (n integer, phone_number_ids text[], waba_ids text[])
  )
  select found.n, c.workspace_id, c.id, c.type, c.phone_number_id, c.waba_id, c.app_secret, c.app_secret_fingerprint
  from (
    select w.n, c.workspace_id, c.id from named w join channels c on c.phone_number_id = any(w.phone_number_ids)
    union
    select w.n, c.workspace_id, c.id from named w join channels c on c.waba_id = any(w.waba_ids)
  ) as found
  join channels c using (workspace_id, id)
  order by found.n, c.created_at, c.id`);

/** The channels that each notification names by number or account, of all workspaces; the oldest first. */
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

/** Of all channels of all workspaces, each secret once. */
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

/** Whether any channel has the verify token with this fingerprint. */
export async function verifyTokenExists(connection: Connection, fingerprint: Buffer): Promise<boolean> {
  const query = build.selectFrom('channels').select('id').where('verify_token_fingerprint', '=', fingerprint).limit(1);
  return (await runFirst(connection, query)) !== undefined;
}

/** Which channel a job is for. */
export interface ChannelRef {
  workspace_id: string;
  channel_id: string;
}

export interface ChannelAccess {
  phone_number_id: string;
  waba_id: string;
  /** Sealed in the place `channels.access_token`. */
  access_token: Buffer;
}

/** With the moment until which the platform is not to be asked, where it refused every call. */
export function findAccess(
  connection: Connection,
  { workspace_id, channel_id }: ChannelRef,
): Promise<(ChannelAccess & { fault_until: Date | null }) | undefined> {
  const query = build
    .selectFrom('channels')
    .select(['phone_number_id', 'waba_id', 'access_token', 'fault_until'])
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', channel_id);
  return runFirst(connection, query);
}

const updateFault = statement(`
  update channels set fault = $3, fault_until = $4
  where workspace_id = $1 and id = $2 and access_token = $5
    and (fault, fault_until) is distinct from ($3::text, $4::timestamptz)`);

/**
 * Why the platform refuses every call of this channel, until it is to be asked again; null once it does not. What was
 * answered to a call with an access token that has been replaced since says nothing.
 */
export async function setFault(
  connection: Connection,
  { workspace_id, channel_id, access_token }: ChannelRef & Pick<ChannelAccess, 'access_token'>,
  fault: string | null,
  until: Date | null,
): Promise<void> {
  await updateFault(connection, [workspace_id, channel_id, fault, until, access_token]);
}

/** What the platform said of a number; what it did not say stays as it is. */
export interface NumberState {
  status?: string | undefined;
  quality?: string | undefined;
  verified_name?: string | undefined;
  display_phone?: string | undefined;
  /** `null` inside stands for a number without a limit. */
  tier?: { messaging_tier: number | null } | undefined;
}

const updateState = statement(`
  update channels c set status = n.status, quality = n.quality, verified_name = n.verified_name,
    display_phone = n.display_phone, messaging_tier = n.messaging_tier
  from (
    select workspace_id, id, coalesce($3, status) as status, coalesce($4, quality) as quality,
      coalesce($5, verified_name) as verified_name, coalesce(display_phone, $6) as display_phone,
      case when $7 then $8 else messaging_tier end as messaging_tier
    from channels where workspace_id = $1 and id = $2
  ) as n
  where c.workspace_id = n.workspace_id and c.id = n.id
    and (c.status, c.quality, c.verified_name, c.display_phone, c.messaging_tier)
      is distinct from (n.status, n.quality, n.verified_name, n.display_phone, n.messaging_tier)`);

export async function setNumberState(
  connection: Connection,
  workspace_id: string,
  id: string,
  { status, quality, verified_name, display_phone, tier }: NumberState,
): Promise<void> {
  const texts = [status ?? null, quality ?? null, verified_name ?? null, display_phone ?? null];
  await updateState(connection, [workspace_id, id, ...texts, tier !== undefined, tier?.messaging_tier ?? null]);
}

/** A channel as it is set up: secrets sealed in their places, or made into fingerprints. */
export interface ChannelSetup extends AppSecret {
  id: string;
  type: string;
  name: string | null;
  display_phone: string | null;
  verified_name: string | null;
  waba_id: string;
  phone_number_id: string;
  access_token: Buffer;
  verify_token_fingerprint: Buffer;
  messaging_tier: number | null;
}

/** A channel that stands, and what tells whose it is and whether the platform has spoken of it. */
export interface StandingChannel extends ChannelSetup {
  workspace_id: string;
  status: string | null;
}

/** The channels with these numbers, of all workspaces, locked in one order. */
export function lockByNumber(connection: Connection, phone_number_ids: readonly string[]): Promise<StandingChannel[]> {
  const query = build
    .selectFrom('channels')
    .select(['workspace_id', 'id', 'type', 'name', 'status', 'display_phone', 'verified_name', 'waba_id'])
    .select(['phone_number_id', 'access_token', 'app_secret', 'app_secret_fingerprint'])
    .select(['verify_token_fingerprint', 'messaging_tier'])
    .where('phone_number_id', 'in', phone_number_ids)
    .orderBy('phone_number_id')
    .forNoKeyUpdate();
  return phone_number_ids.length === 0 ? Promise.resolve([]) : run(connection, query);
}

/** False where another channel took the number meanwhile. */
export async function insertChannel(
  connection: Connection,
  workspace_id: string,
  channel: ChannelSetup & { created_at: Date },
): Promise<boolean> {
  const query = build
    .insertInto('channels')
    .values({ ...channel, workspace_id })
    .onConflict((conflict) => conflict.column('phone_number_id').doNothing())
    .returning('id');
  return (await run(connection, query)).length > 0;
}

/** `clears_fault`: the platform is to be asked again at once, because what it refused is another now. */
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

/** The account in which a workspace keeps its templates: that of its first channel. */
export function findFirstAccount(
  connection: Connection,
  workspace_id: string,
): Promise<{ channel_id: string; waba_id: string } | undefined> {
  return runFirst(connection, accountsOf(workspace_id));
}

/** The first channel of an account, and its key to the account. */
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
    .orderBy('created_at')
    .orderBy('id')
    .limit(1);
}
