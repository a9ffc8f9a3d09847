import { hash } from 'node:crypto';

/** A part of a list: where it begins and how many rows it may have. */
export interface Part<After> {
  after: After | undefined;
  count: number;
}

/**
 * A row of what the index of terms found, or the only one, which then has no id; how many hits there are on all pages, and
 * how many weeks, with the one in which the part begins, reach to this row.
 */
export type Match<Row extends { id: unknown }> = (Row | { id: null }) & { hits: number; weeks: number | null };

/** How far a walk goes: so many rows of the list, or up to this one and with it; to the end of the list where neither is given. */
export interface Bound<After> {
  steps?: number;
  until?: After;
}

/** How many hits may be sorted, and of which rows: of all, or of what was active in so many weeks up to where the part begins. */
export interface Reach {
  most: number;
  weeks?: number | undefined;
}

/** How a list is searched by what no index has in its order. */
export interface Search<Row extends { id: unknown }, After> {
  /** The same text for the same search, whatever the part. */
  name: string;
  /** `isQuick`: it was when it was asked before. */
  ways(how: { isQuick: boolean }): Ways<Row, After>;
}

interface Ways<Row extends { id: unknown }, After> {
  /** Goes through the list itself and answers those that are meant. */
  walk(part: Part<After>, bound?: Bound<After>): Promise<Row[]>;
  /** What the index of terms finds, in the order of the list; where there are more hits than `most`, one row that says so. */
  match(part: Part<After>, reach: Reach): Promise<Match<Row>[]>;
  positionOf(row: Row): After;
}

// What one in ten has is found in the first look. Of what one in twenty has the look finds half a page, and the walk goes on:
// a page of it takes 500 rows of a walk, which cost as much as the same page by the index. What is rarer, the index finds. A
// week costs as much as some hits: who asks again for what had many asks for the weeks alone that fill the page.
const look = { steps: 250 };
const promising = (count: number) => 7 + count / 6;
// More than what promised so much takes, where it is as frequent behind.
const onward = { steps: 1_500 };
const further = { steps: 8_000 };
const manyHits = 250;
// Of what is many in its weeks too, as after an import or a broadcast, all hits are read for a page. One costs as much as three to
// seven steps of a walk, so a walk of four for each is no longer; it is tried when the first page is asked for again.
const stepsOfHit = 4;
const mostWeeks = 16;
// More hits than these are too many to be sorted. Of what has more, so many weeks may have a page, and no more than these.
const mostHits = 3_000;
const fewWeeks = [4, mostWeeks];

/** How a search was answered last. */
interface Known<After> {
  by: 'walk' | 'all' | { weeks: number };
  isQuick: boolean;
  /** For so many first pages. */
  times: number;
  /**
   * Where its first page ended. A walk that is bounded by a place passes over what is not meant in the index itself, where
   * counted steps hand on each row: that takes twice as long.
   */
  until: After | undefined;
}

// By the hash of the search's name: for its next page, and for the next who asks, nothing has to be tried. What no longer
// holds costs time once, no row.
const searches = new Map<string, Known<unknown>>();
const mostSearches = 1_000;
// What was rare may be frequent by now, and what was frequent have a shorter way than its walk: after so many first pages the
// latest are looked at again.
const mostTimes = 1_000;
// Longer than a quick one takes behind others on busy cores, and no longer than others can wait for it.
const quickMs = 100;

/** The first rows of a part that are meant, found in the way that costs least. */
export async function searchPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  search: Search<Row, After>,
): Promise<Row[]> {
  // A longer page ends elsewhere.
  const name = hash('sha256', `${part.count} ${search.name}`, 'base64url');
  const last = searches.get(name) as Known<After> | undefined;
  const isFirst = part.after === undefined;
  const isDue = isFirst && last !== undefined && last.times >= mostTimes;
  const known = isDue && last.by === 'walk' ? undefined : last;
  const ways = search.ways({ isQuick: known?.isQuick ?? false });
  const start = performance.now();
  const { rows, by } = await findPage(part, ways, known, isDue);
  const isQuick = performance.now() - start < quickMs;
  const end = rows.length < part.count ? undefined : ways.positionOf(rows.at(-1)!);
  const until = isFirst ? end : known?.until;
  const times = isDue ? 0 : (known?.times ?? 0);
  remember(name, { by, isQuick, until, times: isFirst ? times + 1 : times });
  return rows;
}

interface Found<Row> extends Pick<Known<unknown>, 'by'> {
  rows: Row[];
}

async function findPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  ways: Ways<Row, After>,
  known: Known<After> | undefined,
  isDue: boolean,
): Promise<Found<Row>> {
  const told = known && known.by !== 'walk' ? known.by : undefined;
  if (told === undefined || isDue) {
    const rows = await walkPage(part, ways, told ? undefined : known);
    if (rows) return { by: 'walk', rows };
  }
  const ask = async (weeks?: number) => {
    const matches = await ways.match(part, { most: mostHits, weeks });
    const rows = matches.filter(isRow);
    const { hits } = matches[0]!;
    // A page further back says nothing of the first one.
    const by = told && part.after !== undefined ? told : wayTo(matches[part.count - 1]?.weeks, hits, weeks);
    return { by, rows, isFull: rows.length >= part.count, hits };
  };
  // Where the latest leave room, others may belong on the page. Of one week there may be an hour, as weeks begin on Mondays:
  // with one more there are as many days as were enough.
  for (const weeks of told && told !== 'all' ? [told.weeks, told.weeks + 1] : []) {
    const latest = await ask(weeks);
    if (!latest.isFull) continue;
    const isSecond = part.after === undefined && known?.times === 1;
    return (isSecond ? await walkPastOthers(part, ways, latest.hits) : undefined) ?? latest;
  }
  const all = await ask();
  if (all.hits <= mostHits) return all;
  for (const weeks of fewWeeks) {
    const latest = await ask(weeks);
    if (latest.isFull) return latest;
    if (latest.hits > mostHits) break;
  }
  return { by: 'walk', rows: await ways.walk(part) };
}

/** Undefined where the hits are few, or the shorter way. */
async function walkPastOthers<Row extends { id: unknown }, After>(
  part: Part<After>,
  { walk }: Ways<Row, After>,
  hits: number,
): Promise<Found<Row> | undefined> {
  if (hits <= manyHits) return undefined;
  const rows = await walk(part, { steps: hits * stepsOfHit });
  return rows.length >= part.count ? { by: 'walk', rows } : undefined;
}

/** How a page is asked for again that was found in this way, when so many weeks reach to its last row and there were so many hits. */
function wayTo(reached: number | null | undefined, hits: number, asked: number | undefined): Known<unknown>['by'] {
  const isWorthIt = asked !== undefined || hits > manyHits;
  const weeks = reached && reached <= mostWeeks && isWorthIt ? reached : asked;
  return weeks === undefined ? 'all' : { weeks };
}

function isRow<Row extends { id: unknown }>(match: Match<Row>): match is Row & Match<Row> {
  return match.id !== null;
}

/** Undefined where the walk would be long. `known`: a walk answered this search before. */
async function walkPage<Row extends { id: unknown }, After>(
  part: Part<After>,
  { walk, positionOf }: Ways<Row, After>,
  known: Known<After> | undefined,
): Promise<Row[] | undefined> {
  if (part.after === undefined && known?.until !== undefined) {
    const again = await walk(part, { until: known.until });
    if (again.length >= part.count) return again;
  }
  const first = await walk(part, known ? further : look);
  if (first.length >= part.count) return first;
  if (known || first.length < promising(part.count)) return undefined;
  const rest = { after: positionOf(first.at(-1)!), count: part.count - first.length };
  const more = await walk(rest, onward);
  return more.length >= rest.count ? [...first, ...more] : undefined;
}

function remember(name: string, known: Known<unknown>): void {
  if (!searches.has(name) && searches.size >= mostSearches) searches.delete(searches.keys().next().value!);
  searches.set(name, known);
}
