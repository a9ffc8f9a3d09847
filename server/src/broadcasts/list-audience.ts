import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

/** Contacts by their tags or their stage. */
export interface ContactAudience {
  tags?: string[] | undefined;
  stage_id?: string | undefined;
}

/** Bounds the count: it reads every contact of the audience. */
const mostCounted = 100_000;

const countContacts = statement<{ matched: number; numbered: number }>(`
  select count(*)::int as matched, count(n.identifier)::int as numbered
  from (
    select id from contacts where workspace_id = $1 and (tags && $2::text[] or stage_id = $3::uuid) limit ${mostCounted + 1}
  ) c
  left join lateral (
    select i.identifier from contact_identities i
    where i.workspace_id = $1 and i.contact_id = c.id and i.channel_type = $4 limit 1
  ) n on true`);

/** How many contacts there are, and how many of them have a number on the channel. `more`: there are others, not counted. */
export async function countAudience(
  connection: Connection,
  workspace_id: string,
  { tags, stage_id }: ContactAudience,
  channel_type: string,
): Promise<{ matched: number; numbered: number; more: boolean }> {
  const [counts] = await countContacts(connection, [workspace_id, tags ?? null, stage_id ?? null, channel_type]);
  const { matched, numbered } = counts!;
  return { matched: Math.min(matched, mostCounted), numbered, more: matched > mostCounted };
}

const selectNumbers = statement<{ identifier: string }>(`
  select n.identifier
  from (
    select id from contacts where workspace_id = $1 and (tags && $2::text[] or stage_id = $3::uuid) order by id
  ) c
  cross join lateral (
    select i.identifier from contact_identities i
    where i.workspace_id = $1 and i.contact_id = c.id and i.channel_type = $4
    order by i.created_at, i.identifier limit 1
  ) n
  order by c.id limit $5`);

/** The numbers that a broadcast would write to, in its order, from the first. */
export async function listAudience(
  connection: Connection,
  workspace_id: string,
  { tags, stage_id }: ContactAudience,
  channel_type: string,
  count: number,
): Promise<string[]> {
  const rows = await selectNumbers(connection, [workspace_id, tags ?? null, stage_id ?? null, channel_type, count]);
  return rows.map(({ identifier }) => identifier);
}

const selectNames = statement<{ id: string; name: string | null }>(`
  select id, name from contacts where workspace_id = $1 and id = any ($2::uuid[])`);

export async function namesOfContacts(
  connection: Connection,
  workspace_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await selectNames(connection, [workspace_id, ids]);
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}
