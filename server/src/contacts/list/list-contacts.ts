import { type RawBuilder, sql } from 'kysely';
import { isContactVisibleTo } from '../../conversations/is-visible-to.ts';
import type { Connection } from '../../database/pool.ts';
import { run } from '../../database/query.ts';
import { holds } from '../../database/search-key.ts';
import {
  allOf,
  type Match,
  mostMatches,
  type Part,
  type SqlCondition,
  searchPage,
} from '../../database/search-page.ts';
import { contactColumns } from '../find-contact.ts';
import type { ContactRow } from '../present.ts';

export interface ContactFilter {
  /** Folded texts. A contact matches if it contains one of them, or if there are none. */
  patterns: readonly string[];
  tag?: string | undefined;
  stage_id?: string | undefined;
  channel_type?: string | undefined;
  /** Contacts that this user sees alone, because own teams limit them. */
  visible_to?: string | undefined;
}

export interface ListedContact extends ContactRow {
  /** The last activity, or the creation where there was none. */
  active_at: Date;
}

export type ContactListPage = Part<{ active_at: string; id: string }>;

/** Rows of `contacts`, with `active_at`. */
type Listed = Pick<ListedContact, 'id' | 'active_at'>;

/** Latest activity first, each contact once. */
export async function listContacts(
  connection: Connection,
  workspace_id: string,
  filter: ContactFilter,
  page: ContactListPage,
): Promise<ListedContact[]> {
  const alternatives = alternativesOf(filter);
  const seen = filter.visible_to === undefined ? [] : [isContactVisibleTo(filter.visible_to)];
  if (!alternatives) return run(connection, show(listed(workspace_id, page, { limit: page.count, seen })));
  return searchPage(page.count, {
    scan: (most) => run(connection, show(scanContacts(workspace_id, { alternatives, seen }, page, most))),
    match: () => run(connection, matchContacts(workspace_id, { alternatives, seen }, page)),
  });
}

/**
 * Conditions on a row of `contact_search` as `s`, one of which must hold. Each is a conjunction that the index answers
 * alone: given several texts and a tag in one condition, the planner uses the index for the tag and filters by the texts.
 */
function alternativesOf({ patterns, tag, stage_id, channel_type }: ContactFilter): SqlCondition[] | undefined {
  const common: SqlCondition[] = [
    ...(tag === undefined ? [] : [sql<boolean>`s.tags @> array[${tag}]::text[]`]),
    ...(stage_id === undefined ? [] : [sql<boolean>`s.stage_id = ${stage_id}::uuid`]),
    ...(channel_type === undefined ? [] : [sql<boolean>`s.channel_types @> array[${channel_type}]::text[]`]),
  ];
  const texts = patterns.flatMap((text) => [holds(sql`s.name_key`, text), holds(sql`s.address_key`, text)]);
  if (texts.length > 0) return texts.map((text) => allOf([text, ...common]));
  return common.length > 0 ? [allOf(common)] : undefined;
}

interface Conditions {
  /** One of them must hold. */
  alternatives: readonly SqlCondition[];
  /** All of them must hold. */
  seen: readonly SqlCondition[];
}

const active_at = sql<Date>`coalesce(c.last_activity_at, c.created_at)`;

/** These contacts, latest activity first. */
function show(contacts: RawBuilder<Listed>): RawBuilder<ListedContact> {
  return sql<ListedContact>`
    select ${contactColumns}, c.active_at from ${contacts} c order by c.active_at desc, c.id desc`;
}

/** The contacts after the previous page: all, or the first `limit`. */
function listed(
  workspace_id: string,
  { after }: ContactListPage,
  { limit, seen = [] }: { limit: number | undefined; seen?: readonly SqlCondition[] },
): RawBuilder<Listed> {
  const rows = sql`select c.*, ${active_at} as active_at from contacts c
    where ${allOf([sql`c.workspace_id = ${workspace_id}`, ...behind(after), ...seen])}`;
  return limit === undefined
    ? sql`(${rows})`
    : sql`(${rows} order by ${active_at} desc, c.id desc limit ${sql.lit(limit)})`;
}

/**
 * The first `most` contacts, filtered. The `offset 0` keeps the subquery a look-up by key for each contact: without it, the
 * planner reads all of `contact_search`, or sorts all contacts.
 */
function scanContacts(
  workspace_id: string,
  { alternatives, seen }: Conditions,
  page: ContactListPage,
  most: number | undefined,
): RawBuilder<Listed> {
  return sql<Listed>`(
    select c.* from ${listed(workspace_id, page, { limit: most })} c cross join lateral (
      select from contact_search s
      where s.workspace_id = c.workspace_id and s.contact_id = c.id
        and (${sql.join(alternatives, sql` or `)}) offset 0) s
    where ${allOf([sql`true`, ...seen])}
    order by c.active_at desc, c.id desc limit ${page.count})`;
}

/** The `offset 0` hides the order of the list: with the order in sight, the planner reads the whole list. */
function matchContacts(workspace_id: string, { alternatives, seen }: Conditions, { after, count }: ContactListPage) {
  const matching = sql<Listed>`(
    select c.*, ${active_at} as active_at from found cross join lateral (
      select * from contacts o where o.workspace_id = ${workspace_id} and o.id = found.contact_id offset 0) c
    where ${allOf([sql`total.matches <= ${sql.lit(mostMatches)}`, ...behind(after), ...seen])}
    order by active_at desc, c.id desc limit ${count})`;
  const found = alternatives.map(
    (condition) => sql`(select s.contact_id from contact_search s
      where s.workspace_id = ${workspace_id} and ${condition} limit ${sql.lit(mostMatches + 1)})`,
  );
  return sql<Match<ListedContact>>`
    with found as materialized (${sql.join(found, sql` union `)}),
    total as materialized (select count(*)::integer as matches from found)
    select total.matches, c.* from total left join lateral (${show(matching)}) c on true
    order by c.active_at desc, c.id desc`;
}

function behind(after: ContactListPage['after']): SqlCondition[] {
  return after ? [sql`(${active_at}, c.id) < (${after.active_at}::timestamptz, ${after.id}::uuid)`] : [];
}
