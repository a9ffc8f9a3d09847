import { type RawBuilder, sql } from 'kysely';
import { escapeLike } from '../../database/escape-like.ts';
import { holdsTerms } from '../../database/held-terms.ts';
import { begunAt, sinceOfHits, sinceWeeks, weeksTo } from '../../database/latest-hits.ts';
import type { Connection } from '../../database/pool.ts';
import { run, search, short, type Way } from '../../database/query.ts';
import { type Bound, type Match, type Part, type Reach, searchPage } from '../../database/search-page.ts';
import { termsOf } from '../../database/search-terms.ts';
import { contactColumns } from '../find-contact.ts';
import type { ContactRow } from '../present.ts';

/** Filters of one workspace. */
export interface ContactFilter {
  /** Texts of which a contact must hold one; none asks for nothing. */
  patterns: readonly string[];
  tag?: string | undefined;
  stage_id?: string | undefined;
  channel_type?: string | undefined;
}

export interface ListedContact extends ContactRow {
  /** When it was last active; for one that never was, when it was created. */
  active_at: Date;
}

/** A place in the list. */
interface Position {
  active_at: string;
  id: string;
}

export type ContactPage = Part<Position>;

/** Latest activity first, each contact once. */
export async function listContacts(
  connection: Connection,
  workspace_id: string,
  filter: ContactFilter,
  page: ContactPage,
): Promise<ListedContact[]> {
  const walkOn = (way: Way) => (part: ContactPage, bound?: Bound<Position>) =>
    run(connection, show(walkContacts(workspace_id, filter, part, bound)), way);
  if (!isFiltered(filter)) return walkOn(short(workspace_id))(page);
  return searchPage(page, {
    name: JSON.stringify(['contacts', workspace_id, filter]),
    ways(how) {
      const way = search(workspace_id, how);
      return {
        walk: walkOn(way),
        match: (part, reach) => run(connection, matchContacts(workspace_id, filter, part, reach), way),
        positionOf: ({ active_at, id }) => ({ active_at: active_at.toISOString(), id }),
      };
    },
  });
}

function isFiltered({ patterns, tag, stage_id, channel_type }: ContactFilter): boolean {
  return patterns.length > 0 || tag !== undefined || stage_id !== undefined || channel_type !== undefined;
}

const active_at = sql<Date>`coalesce(c.last_activity_at, c.created_at)`;

/** Rows of `contacts`, with `active_at`. */
type Listed = Pick<ListedContact, 'id' | 'active_at'>;

/** These contacts, latest activity first. They are not joined to themselves: the planner might walk them for each. */
function show(contacts: RawBuilder<Listed>): RawBuilder<ListedContact> {
  return sql<ListedContact>`
    select ${contactColumns}, c.active_at from ${contacts} c order by c.active_at desc, c.id desc`;
}

/** Goes through the contacts by their activity, as far as the bound, and keeps those that meet the filter. */
function walkContacts(
  workspace_id: string,
  filter: ContactFilter,
  { after, count }: ContactPage,
  { steps, until }: Bound<Position> = {},
): RawBuilder<Listed> {
  const { channel_type } = filter;
  const has_channel = sql<boolean>`exists (select from contact_identities i
    where i.workspace_id = c.workspace_id and i.contact_id = c.id and i.channel_type = ${channel_type})`;
  const conditions = [...conditionsOf(filter), ...(channel_type === undefined ? [] : [has_channel])];
  const place = [
    sql<boolean>`c.workspace_id = ${workspace_id}`,
    ...(after ? [isBehind(after)] : []),
    ...(until ? [isUpTo(until)] : []),
  ];
  return sql<Listed>`(
    select c.*
    from (select c.*, ${active_at} as active_at from contacts c
          where ${sql.join(place, sql` and `)}
          order by ${active_at} desc, c.id desc ${steps === undefined ? sql`` : sql`limit ${sql.lit(steps)}`}) c
    ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}
    order by c.active_at desc, c.id desc limit ${count})`;
}

/** Those that the index of terms finds, of the latest days that it takes to fill a page; or one row that says that they are more than `most`. */
function matchContacts(
  workspace_id: string,
  filter: ContactFilter,
  { after, count }: ContactPage,
  { most, weeks }: Reach,
) {
  const { patterns, tag, stage_id, channel_type } = filter;
  const common = [
    ...(tag === undefined ? [] : [`\u001ftag ${tag}`]),
    ...(stage_id === undefined ? [] : [`\u001fstage_id ${stage_id}`]),
    ...(channel_type === undefined ? [] : [`\u001fchannel_type ${channel_type}`]),
  ];
  const ways = patterns.length === 0 ? [common] : patterns.map((pattern) => [...common, ...termsOf(pattern)]);
  const held = sql`contact_terms(c.workspace_id, c.search_text, c.tags, c.stage_id, c.channel_types)`;
  const begin = after ? sql<Date>`${after.active_at}::timestamptz` : latestOf(workspace_id);
  const index = { workspace_id, held, kept_as: 'channel_type' } as const;
  const holds = ways.map((terms) => holdsTerms(index, terms, weeks));
  const conditions = [anyOf(holds), ...conditionsOf(filter)];
  if (weeks !== undefined) conditions.push(sinceWeeks(sql`c.active_from`, weeks));
  if (channel_type !== undefined) conditions.push(sql<boolean>`${channel_type} = any(c.channel_types)`);
  // The terms name the workspace. Were it a condition too, the planner would read all of it by the primary key besides.
  const hits = sql`(select c.contact_id, c.active_from, c.active_until from contact_search c
    where ${sql.join(conditions, sql` and `)} limit ${sql.lit(most + 1)})`;
  const place = [
    sql<boolean>`(hits.active_until > t.since or hits.active_from >= t.since)`,
    ...(after ? [sql<boolean>`hits.active_from <= ${after.active_at}::timestamptz`, isBehind(after)] : []),
  ];
  // The offset of nothing keeps the order out: with it at hand, the planner would rather walk.
  const matching = sql<Listed>`(select c.*, ${active_at} as active_at from hits cross join lateral (
      select * from contacts o where o.workspace_id = ${workspace_id} and o.id = hits.contact_id offset 0) c
    where t.hits <= ${sql.lit(most)} and ${sql.join(place, sql` and `)} order by active_at desc, c.id desc limit ${count})`;
  return sql<Match<ListedContact>>`
    with ${begunAt(begin)},
      hits as materialized ${hits},
      total as materialized (select count(*)::integer as hits, ${sinceOfHits(after?.active_at, count)} as since from hits)
    select t.hits, ${weeksTo(sql`c.active_at`)} as weeks, c.*
    from total t left join lateral (${show(matching)}) c on true
    order by c.active_at desc, c.id desc`;
}

/** When any of them was active last. */
function latestOf(workspace_id: string): RawBuilder<Date> {
  return sql<Date>`(select ${active_at} from contacts c where c.workspace_id = ${workspace_id}
    order by ${active_at} desc, c.id desc limit 1)`;
}

function isBehind(after: NonNullable<ContactPage['after']>): RawBuilder<boolean> {
  return sql<boolean>`(${active_at}, c.id) < (${after.active_at}::timestamptz, ${after.id}::uuid)`;
}

function isUpTo(until: Position): RawBuilder<boolean> {
  return sql<boolean>`(${active_at}, c.id) >= (${until.active_at}::timestamptz, ${until.id}::uuid)`;
}

/** In full what the terms only hint at. Both tables of contacts have these columns. */
function conditionsOf({ patterns, tag, stage_id }: ContactFilter): RawBuilder<boolean>[] {
  const texts = patterns.map((pattern) => sql<boolean>`c.search_text like ${`%${escapeLike(pattern)}%`}`);
  return [
    ...(texts.length > 0 ? [anyOf(texts)] : []),
    ...(tag === undefined ? [] : [sql<boolean>`c.tags @> array[${tag}]::text[]`]),
    ...(stage_id === undefined ? [] : [sql<boolean>`c.stage_id = ${stage_id}::uuid`]),
  ];
}

function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}
