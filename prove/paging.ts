import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification } from '@majlis/testing/notifications';
import { repeat } from '@majlis/testing/repeat';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../server/src/database/ids.ts';
import type { ProofRun } from './section.ts';

// Of those who write, more than a search looks at before it asks an index.
const customers = 720;
const walkers = 4;
const longest = 40;
// Several: how a search was answered first decides how it is answered later.
const names = 'Aisha Basma Dana Farah Huda Jana Layla Maryam Noor Rania Salma Zaynab'.split(' ');

interface Site {
  majlis: TestService;
  workspace: TestWorkspace;
  /** Those who write while others read; the rest has stood still since the beginning. */
  restless: string[];
  nameOf: (digits: string) => string;
}

/** A list: where it is, and what of it stands still. */
interface List {
  path: string;
  still: ReadonlySet<string>;
}

interface Entry {
  id: string;
  last_message_at?: string;
}

/**
 * Lists walked page by page, of any size, while customers write: what did not move is on exactly one page, nothing is on
 * two, and the order holds across pages.
 */
export async function provePaging({ seed, count, log }: ProofRun): Promise<string[]> {
  const random = seededRandom(seed);
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const workspace = await majlis.workspace();
  const digits = Array.from({ length: customers }, newDigits);
  const [still, restless] = [digits.slice(0, customers / 2), digits.slice(customers / 2)];
  const site = { majlis, workspace, restless, nameOf: nameIn(still) };
  // Two and more in one moment: the id must break the tie.
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

/** Who stands still has one of the names, whoever else writes another. */
function nameIn(still: readonly string[]): (digits: string) => string {
  const places = new Map(still.map((digits, n) => [digits, n]));
  return (digits) => names[(places.get(digits) ?? Infinity) % names.length] ?? 'Omar';
}

/** Half of the walks go through one kind, half through the other: of searches there are many, and each has few rows. */
interface Lists {
  plain: List[];
  searches: List[];
}

async function readLists({ majlis, workspace, restless, nameOf }: Site, still: readonly string[]): Promise<Lists> {
  const people = await findPeople(workspace, still);
  // Of each name some are closed; who writes is open.
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

/** Customers write all the time, one of whom nobody knew. */
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

/** From the first page to the last that was there at the beginning. */
async function walk({ api }: TestWorkspace, { path, still }: List, size: () => number) {
  const seen: Entry[] = [];
  const faults: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const limit = path.includes('/messages') ? '' : `limit=${size()}&`;
    const { status, body, text } = await api.get(`${path}${limit}${cursor ? `cursor=${cursor}` : ''}`);
    if (status !== 200) return { pages, faults: [`${path} was answered ${text}`] };
    // Of messages each page is read from its end: the newest come first, and each page is in their order.
    seen.push(...(path.includes('/messages') ? body.data.toReversed() : body.data));
    cursor = body.next_cursor;
    pages++;
    if (body.has_more !== (cursor !== undefined)) faults.push(`${path}: has_more is ${body.has_more}`);
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
