import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../database/pool.ts';
import { run } from '../../database/query.ts';
import { holds } from '../../database/search-key.ts';
import { type Match, mostMatches, type Part, searchPage } from '../../database/search-page.ts';
import { contactColumns } from '../find-contact.ts';
import type { ContactRow } from '../present.ts';

/** Filters of one workspace. */
export interface ContactFilter {
  /** Folded texts of which a contact must hold one; none asks for nothing. */
  patterns: readonly string[];
  tag?: string | undefined;
  stage_id?: string | undefined;
  channel_type?: string | undefined;
}

export interface ListedContact extends ContactRow {
  /** When it was last active; for one that never was, when it was created. */
  active_at: Date;
}

/** A page begins behind a place in the list. */
export type ContactPage = Part<{ active_at: string; id: string }>;

type Condition = RawBuilder<boolean>;

/** Rows of `contacts`, with `active_at`. */
type Listed = Pick<ListedContact, 'id' | 'active_at'>;

/** Latest activity first, each contact once. */
export async function listContacts(
  connection: Connection,
  workspace_id: string,
  filter: ContactFilter,
  page: ContactPage,
): Promise<ListedContact[]> {
  const alternatives = alternativesOf(filter);
  if (!alternatives) return run(connection, show(listed(workspace_id, page, page.count)));
  return searchPage(page.count, {
    scan: (most) => run(connection, show(scanContacts(workspace_id, alternatives, page, most))),
    match: () => run(connection, matchContacts(workspace_id, alternatives, page)),
  });
}

/**
 * Conditions on a row of `contact_search` as `s`, of which one must be met. Each is a conjunction that the index answers alone: in
 * one of several texts and a tag, the planner takes the tag for the index and filters by the texts.
 */
function alternativesOf({ patterns, tag, stage_id, channel_type }: ContactFilter): Condition[] | undefined {
  const common: Condition[] = [
    ...(tag === undefined ? [] : [sql<boolean>`s.tags @> array[${tag}]::text[]`]),
    ...(stage_id === undefined ? [] : [sql<boolean>`s.stage_id = ${stage_id}::uuid`]),
    ...(channel_type === undefined ? [] : [sql<boolean>`s.channel_types @> array[${channel_type}]::text[]`]),
  ];
  const texts = patterns.flatMap((text) => [holds(sql`s.name_key`, text), holds(sql`s.address_key`, text)]);
  if (texts.length > 0) return texts.map((text) => all([text, ...common]));
  return common.length > 0 ? [all(common)] : undefined;
}

const active_at = sql<Date>`coalesce(c.last_activity_at, c.created_at)`;

/** These contacts, latest activity first. */
function show(contacts: RawBuilder<Listed>): RawBuilder<ListedContact> {
  return sql<ListedContact>`
    select ${contactColumns}, c.active_at from ${contacts} c order by c.active_at desc, c.id desc`;
}

/** The contacts of the list behind the page before: all, or the first. */
function listed(workspace_id: string, { after }: ContactPage, limit: number | undefined): RawBuilder<Listed> {
  const rows = sql`select c.*, ${active_at} as active_at from contacts c
    where ${all([sql`c.workspace_id = ${workspace_id}`, ...behind(after)])}`;
  return limit === undefined
    ? sql`(${rows})`
    : sql`(${rows} order by ${active_at} desc, c.id desc limit ${sql.lit(limit)})`;
}

/**
 * Those of the first `most` contacts that meet the conditions. The offset has the subquery planned by itself, as one that finds
 * its row: otherwise the planner would read all of `contact_search`, or sort all contacts.
 */
function scanContacts(
  workspace_id: string,
  alternatives: readonly Condition[],
  page: ContactPage,
  most: number | undefined,
): RawBuilder<Listed> {
  return sql<Listed>`(
    select c.* from ${listed(workspace_id, page, most)} c cross join lateral (
      select from contact_search s
      where s.workspace_id = c.workspace_id and s.contact_id = c.id
        and (${sql.join(alternatives, sql` or `)}) offset 0) s
    order by c.active_at desc, c.id desc limit ${page.count})`;
}

/** The offset keeps the order out: with it at hand, the planner would rather read the list. */
function matchContacts(workspace_id: string, alternatives: readonly Condition[], { after, count }: ContactPage) {
  const matching = sql<Listed>`(
    select c.*, ${active_at} as active_at from found cross join lateral (
      select * from contacts o where o.workspace_id = ${workspace_id} and o.id = found.contact_id offset 0) c
    where ${all([sql`total.matches <= ${sql.lit(mostMatches)}`, ...behind(after)])}
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

function behind(after: ContactPage['after']): Condition[] {
  return after ? [sql`(${active_at}, c.id) < (${after.active_at}::timestamptz, ${after.id}::uuid)`] : [];
}

function all(conditions: readonly Condition[]): Condition {
  return sql`${sql.join(conditions, sql` and `)}`;
}
