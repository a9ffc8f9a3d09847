import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { tooLong } from '../http/reply/bound-lists.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Quota, QuotaKind, Quotas } from '../process/quotas.ts';

/** Whose things of a kind share a quota. `user_id`: of the kinds that are shared or a person's own; null for the shared ones. */
export interface Holder {
  workspace_id: string;
  kind: QuotaKind;
  user_id?: string | null;
}

interface KindOfThing {
  /** In the plural, for people. */
  noun: string;
  /** The table and the condition of its rows `t`. */
  from: string;
  /** The bytes of a row, where those of its JSON do not fit. */
  bytes?: string;
  /** An operation of the contract makes it, so the contract's codes refuse it. */
  in_contract?: true;
}

// The bytes of the JSON, because the lists are JSON: an escaped character takes six.
const bytesOfRow = 'octet_length(row_to_json(t)::text)';
const present = 'workspace_id = $1 and removed_at is null';
const own = 'workspace_id = $1 and user_id is not distinct from $2';

const things: Record<QuotaKind, KindOfThing> = {
  custom_fields: { noun: 'custom fields', from: 'custom_fields t where workspace_id = $1', in_contract: true },
  tags: {
    noun: 'tags',
    from: 'tags t where workspace_id = $1',
    // With its number of contacts.
    bytes: `octet_length(to_json(name)::text) + 24`,
    in_contract: true,
  },
  stages: { noun: 'stages', from: `stages t where ${present}` },
  closing_categories: { noun: 'closing categories', from: `closing_categories t where ${present}` },
  templates: { noun: 'templates', from: 'templates t where workspace_id = $1', in_contract: true },
  webhook_endpoints: {
    noun: 'webhook endpoints',
    from: 'webhook_endpoints t where workspace_id = $1 and deleted_at is null',
    in_contract: true,
  },
  broadcasts: {
    noun: 'broadcasts that are not sent yet',
    from: `broadcasts t where workspace_id = $1 and status in ('scheduled', 'sending')`,
    in_contract: true,
  },
  knowledge_sources: {
    noun: 'knowledge sources',
    from: 'knowledge_sources t where workspace_id = $1',
    // A passage has 900 characters at most. To sum up the passages themselves would read all of them.
    bytes: `octet_length(name) + coalesce(octet_length(body), 0) + 900 * passages`,
    in_contract: true,
  },
  workflows: {
    noun: 'workflows',
    from: 'workflows t where workspace_id = $1',
    bytes: `(select sum(octet_length(v.definition::text)) from workflow_versions v
      where v.workspace_id = t.workspace_id and v.workflow_id = t.id)`,
  },
  ai_agents: { noun: 'AI agents', from: 'ai_agents t where workspace_id = $1' },
  channels: { noun: 'channels', from: 'channels t where workspace_id = $1 and disconnected_at is null' },
  teams: {
    noun: 'teams',
    from: `teams t where ${present}`,
    // A member is an id of 32 characters in the list.
    bytes: `${bytesOfRow} + 35 * (select count(*) from team_members m
      where m.workspace_id = t.workspace_id and m.team_id = t.id)`,
  },
  members: { noun: 'members', from: `users t where ${present}` },
  invitations: { noun: 'invitations', from: `sign_in_links t where workspace_id = $1 and kind = 'invitation'` },
  api_keys: { noun: 'API keys', from: 'api_keys t where workspace_id = $1 and revoked_at is null' },
  saved_views: { noun: 'views', from: `saved_views t where ${own}` },
  scheduled_messages: {
    noun: 'scheduled messages',
    from: `scheduled_messages t where workspace_id = $1 and state in ('scheduled', 'failed')`,
    bytes: 'octet_length(content::text)',
  },
  proposals: {
    noun: 'proposals',
    from: `proposals t where workspace_id = $1 and state = 'waiting'`,
    bytes: 'octet_length(content::text)',
  },
  canned_replies: { noun: 'canned replies', from: `canned_replies t where ${own}` },
};

const countings = Object.fromEntries(
  Object.entries(things).map(([kind, { from, bytes = bytesOfRow }]) => [
    kind,
    statement<Quota>(`select count(*)::integer as count, coalesce(sum(${bytes}), 0)::float8 as bytes from ${from}`),
  ]),
) as Record<QuotaKind, ReturnType<typeof statement<Quota>>>;

async function count(connection: Connection, { workspace_id, kind, user_id }: Holder): Promise<Quota> {
  const [counted] = await countings[kind](connection, user_id === undefined ? [workspace_id] : [workspace_id, user_id]);
  return counted!;
}

const lock = statement(`select pg_advisory_xact_lock(hashtextextended($1, 0))`);

/**
 * Makes or changes things of a kind, and refuses what would leave more of them than their quota. Of two at the same moment, the
 * second waits for the first and counts it. What is above the quota already, as after the operator has lowered it, may shrink.
 */
export async function withinQuota<Result>(
  tx: Transaction,
  quotas: Quotas,
  holder: Holder,
  work: () => Promise<Result>,
): Promise<Result> {
  await lockQuota(tx, holder);
  const before = await count(tx, holder);
  const result = await work();
  const after = await count(tx, holder);
  const member = (['count', 'bytes'] as const).find(
    (one) => after[one] > quotas[holder.kind][one] && after[one] > before[one],
  );
  if (member) throw beyond(quotas, holder.kind, member);
  return result;
}

/** The refusal of one thing more of so many bytes; undefined where it fits. Others wait until the transaction ends. */
export async function refuseBeyond(
  tx: Transaction,
  quotas: Quotas,
  holder: Holder,
  bytes: number,
): Promise<Refusal | undefined> {
  await lockQuota(tx, holder);
  const room = await roomLeft(tx, quotas, holder);
  if (room.count < 1) return beyond(quotas, holder.kind, 'count');
  return room.bytes < bytes ? beyond(quotas, holder.kind, 'bytes') : undefined;
}

/** Until the end of the transaction. */
export async function lockQuota(tx: Transaction, { workspace_id, kind, user_id }: Holder): Promise<void> {
  await lock(tx, [['quota', kind, workspace_id, user_id ?? ''].join(' ')]);
}

/** Refuses the list of all of them before it is read, where it would have more than so many bytes. */
export async function requireListable(connection: Connection, most_bytes: number, holder: Holder): Promise<void> {
  if ((await count(connection, holder)).bytes > most_bytes) throw tooLong(most_bytes);
}

/** How much more there may be. Neither is below zero. */
export async function roomLeft(connection: Connection, quotas: Quotas, holder: Holder): Promise<Quota> {
  const counted = await count(connection, holder);
  const most = quotas[holder.kind];
  return { count: Math.max(0, most.count - counted.count), bytes: Math.max(0, most.bytes - counted.bytes) };
}

/** The sentence of a refusal. */
export function sayBeyond(quotas: Quotas, kind: QuotaKind, member: keyof Quota): string {
  const { noun } = things[kind];
  const most = quotas[kind][member];
  return member === 'count'
    ? `There may be ${most} ${noun} at most: with this there would be more.`
    : `All ${noun} together may have ${most} bytes: this does not fit.`;
}

function beyond(quotas: Quotas, kind: QuotaKind, member: keyof Quota): Refusal {
  const detail = sayBeyond(quotas, kind, member);
  return new Refusal(things[kind].in_contract ? 'unprocessable_content' : 'limit_reached', { detail });
}
