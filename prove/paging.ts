import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { repeat } from '@majlis/testing/repeat';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../server/src/database/ids.ts';
import type { ProofRun } from './section.ts';

// Half of them write while others read: more rows than a scan reads before it uses an index.
const customers = 720;
const walkers = 4;
const longest = 40;
// Of one row each: some lists grow while they are read.
const mostPages = 20_000;
// Several names, so that plans cached for one search serve another.
const names = 'Aisha Basma Dana Farah Huda Jana Layla Maryam Noor Rania Salma Zaynab'.split(' ');

interface Site {
  majlis: TestService;
  workspace: TestWorkspace;
  /** Customers who write during the reads. All others do not move. */
  restless: string[];
  nameOf: (digits: string) => string;
}

/** A list and its rows that do not move. */
interface List {
  path: string;
  still: ReadonlySet<string>;
}

interface Entry {
  id: string;
  last_message_at?: string;
}

/**
 * Reads lists page by page, of any size, while customers write. Rows that did not move are on exactly one page, no row is
 * on two, and the order holds across pages.
 */
export async function provePaging({ seed, count, log }: ProofRun): Promise<string[]> {
  const random = seededRandom(seed);
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const workspace = await majlis.workspace();
  const digits = Array.from({ length: customers }, newDigits);
  const [still, restless] = [digits.slice(0, customers / 2), digits.slice(customers / 2)];
  const site = { majlis, workspace, restless, nameOf: nameIn(still) };
  // Several have the same millisecond, so that the id decides.
  await write(site, digits);
  const { plain, searches } = await readLists(site, still);
  const stopMoving = keepMoving(site, random);
  const faults: string[] = [];
  let [left, pages] = [count, 0];
  const walker = async () => {
    while (left-- > 0) {
      const walked = await walk(workspace, random.pick(random.pick([plain, searches])), () =>
        random.between(1, longest),
      );
      pages += walked.pages;
      faults.push(...walked.faults);
    }
  };
  await Promise.all(Array.from({ length: walkers }, walker));
  const moves = await stopMoving();
  const lists = `${plain.length} lists and ${searches.length} searches`;
  log(`${count} walks through ${lists}, ${pages} pages, while ${moves} messages arrived`);
  return moves === 0 ? [...faults, 'nothing moved: nothing was shown'] : faults;
}

async function write({ majlis, workspace, nameOf }: Site, digits: readonly string[]): Promise<void> {
  const messages = digits.map((from) => platformText(from, 'Hello'));
  const contacts = digits.map((wa_id) => ({ profile: { name: `${nameOf(wa_id)} ${wa_id}` }, wa_id }));
  await postNotification(majlis, workspace, { contacts, messages });
  await eventually(
    () => majlis.sql('select from messages where platform_message_id = any ($1)', [messages.map(({ id }) => id)]),
    (rows) => rows.length === messages.length,
    60_000,
  );
}

/** Customers that do not move have one of the names, all others another name. */
function nameIn(still: readonly string[]): (digits: string) => string {
  const places = new Map(still.map((digits, n) => [digits, n]));
  return (digits) => names[(places.get(digits) ?? Infinity) % names.length] ?? 'Omar';
}

/** Half of the reads are of each kind: there are many searches, each with few rows. */
interface Lists {
  plain: List[];
  searches: List[];
}

async function readLists({ majlis, workspace, restless, nameOf }: Site, still: readonly string[]): Promise<Lists> {
  const people = await findPeople(workspace, still);
  // Some conversations of each name are closed. Those that get messages are open.
  const closed = people.filter((_, n) => n % 5 < 2);
  const open = people.filter((person) => !closed.includes(person));
  await majlis.sql(`update conversations set status = 'closed' where id = any ($1)`, [
    closed.map(({ conversation }) => parseId('conversation', conversation)),
  ]);
  const busy = (await findPeople(workspace, restless.slice(0, 1)))[0]!.conversation;
  for (let n = 0; n < 100; n++) await workspace.api.post(`/conversations/${busy}/notes`, { body: `Note ${n}` });
  const notes = await majlis.sql<{ id: string }>(`select id from messages where kind = 'note'`);
  if (notes.length !== 100) throw new Error('the notes were not stored');
  const messages = (await workspace.api.get(`/conversations/${busy}/messages`)).body;
  const first = new Set<string>(messages.data.map(({ id }: Entry) => id));
  const listsOf = (query: string, meant: (person: Person) => boolean): List[] => [
    { path: `/conversations?${query}`, still: new Set(people.filter(meant).map(({ conversation }) => conversation)) },
    {
      path: `/conversations?status=open&${query}`,
      still: new Set(open.filter(meant).map(({ conversation }) => conversation)),
    },
    { path: `/contacts?${query}`, still: new Set(people.filter(meant).map(({ contact }) => contact)) },
  ];
  return {
    plain: [...listsOf('', () => true), { path: `/conversations/${busy}/messages?`, still: first }],
    searches: names.flatMap((name) => listsOf(`q=${name}&`, ({ digits }) => nameOf(digits) === name)),
  };
}

interface Person {
  digits: string;
  contact: string;
  conversation: string;
}

async function findPeople({ api }: TestWorkspace, all: readonly string[]): Promise<Person[]> {
  const people: Person[] = [];
  for (const digits of all) {
    const contact = (await api.get(`/contacts?q=${digits}`)).body.data[0].id;
    const conversation = (await api.get(`/conversations?contact_id=${contact}`)).body.data[0].id;
    people.push({ digits, contact, conversation });
  }
  return people;
}

/** Customers write all the time, one new customer in each notification. */
function keepMoving(site: Site, random: ReturnType<typeof seededRandom>) {
  let moves = 0;
  const stop = repeat(async () => {
    const some = Array.from({ length: random.between(1, 5) }, () => random.pick(site.restless));
    const digits = [...new Set([...some, newDigits(), site.restless[0]!])];
    await write(site, digits);
    moves += digits.length;
  });
  return async () => {
    await stop();
    return moves;
  };
}

/** Reads all pages of a list and answers the violations. */
async function walk({ api }: TestWorkspace, { path, still }: List, size: () => number) {
  const seen: Entry[] = [];
  const faults: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const limit = path.includes('/messages') ? '' : `limit=${size()}&`;
    const { status, body, text } = await api.get(`${path}${limit}${cursor ? `cursor=${cursor}` : ''}`);
    if (status !== 200) return { pages, faults: [`${path} was answered ${text}`] };
    // The first page holds the newest messages, each page in ascending order, so it is read backwards.
    seen.push(...(path.includes('/messages') ? body.data.toReversed() : body.data));
    cursor = body.next_cursor;
    pages++;
    if (body.has_more !== (cursor !== undefined)) faults.push(`${path}: has_more is ${body.has_more}`);
    if (pages > mostPages) return { pages, faults: [...faults, `${path} has no last page`] };
  } while (cursor);
  const ids = seen.map(({ id }) => id);
  const distinct = new Set(ids);
  if (distinct.size !== ids.length) faults.push(`${path} showed ${ids.length - distinct.size} twice`);
  const missing = still.difference(distinct).size;
  if (missing > 0) faults.push(`${path} left out ${missing} that stood still`);
  const moments = seen.flatMap(({ last_message_at }) => last_message_at ?? []);
  if (moments.some((moment, n) => n > 0 && moment > moments[n - 1]!)) faults.push(`${path} goes backwards`);
  return { pages, faults };
}
