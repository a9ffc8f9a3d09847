import type { Reply } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { startTestService, type TestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { publicId } from '../../server/src/database/ids.ts';
import type { ProofRun } from '../section.ts';
import { checkKeys } from './check-keys.ts';
import { collectNamingRequests, type NamingRequest } from './naming-requests.ts';
import { createTenantFixture, type TenantFixture } from './tenant-fixture.ts';

/**
 * Every operation by each id, filter, cursor and member that can name a row. A value of another workspace is answered
 * like an unknown value, with equal body and headers, and no row of the other workspace changes.
 */
export async function proveTenants({ log }: ProofRun): Promise<string[]> {
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
  const create = (word: string) => createTenantFixture(majlis, word, () => quiet(majlis));
  const [own, foreign] = [await create('orchid'), await create('saffron')];
  await quiet(majlis);
  const before = await rowsOf(majlis, foreign.workspace);
  const asks = collectNamingRequests();
  const faults = await checkKeys(majlis);
  for (const ask of asks) faults.push(...(await compare(ask, own, foreign)));
  const cursors = await compareCursors(own, foreign);
  faults.push(...cursors.faults);
  await quiet(majlis);
  const after = await rowsOf(majlis, foreign.workspace);
  for (const [table, rows] of after) if (rows !== before.get(table)) faults.push(`rows of ${table} have changed`);
  faults.push(...(await findBlind(asks, own)));
  log(`${asks.length} ways to name another's, ${cursors.count} cursors, ${before.size} tables of the other workspace`);
  return faults;
}

async function compare(ask: NamingRequest, own: TenantFixture, foreign: TenantFixture): Promise<string[]> {
  const theirs = foreign.named[ask.name];
  if (!theirs) throw new Error(`${ask.title}: the other workspace has none`);
  const nobodys = unknownLike(theirs);
  const put = (value: string) => {
    const { url, body } = ask.request(own.named, value);
    return own.workspace.api.request(ask.operation.method, url, body);
  };
  const [unknown, known] = [await put(nobodys), await put(theirs)];
  const [expected, actual] = [comparableAnswer(unknown, nobodys), comparableAnswer(known, theirs)];
  if (expected !== actual) return [`${ask.title}:\n    nobody's: ${expected}\n    another's: ${actual}`];
  return ask.operation.id !== 'downloadMedia' && known.text.includes('saffron') && !theirs.includes('saffron')
    ? [`${ask.title} tells of the other workspace: ${known.text}`]
    : [];
}

// The audience of a broadcast is looked for when it starts: at its creation no tag is better than another.
const blindByNature = new Set(['createBroadcast by tags in the body']);

/** A request proves something only if one's own value and an unknown value are answered differently. */
async function findBlind(asks: readonly NamingRequest[], { workspace, named }: TenantFixture): Promise<string[]> {
  const blind: string[] = [];
  const put = async ({ operation, request }: NamingRequest, value: string) => {
    const { url, body } = request(named, value);
    return comparableAnswer(await workspace.api.request(operation.method, url, body), value);
  };
  const isEnd = ({ operation }: NamingRequest) => operation.method === 'DELETE';
  for (const ask of [...asks.filter((one) => !isEnd(one)), ...asks.filter(isEnd)]) {
    const mine = named[ask.name]!;
    const unknown = await put(ask, unknownLike(mine));
    if (unknown === (await put(ask, mine)) && !blindByNature.has(ask.title))
      blind.push(`${ask.title} shows nothing: ${unknown}`);
  }
  return blind;
}

/** A second page of the other workspace, and one of its own with a byte changed. */
async function compareCursors(
  own: TenantFixture,
  foreign: TenantFixture,
): Promise<{ count: number; faults: string[] }> {
  const faults: string[] = [];
  const pages = ['/conversations', '/contacts', `/conversations/${own.named.conversation_id}/messages`];
  let count = 0;
  for (const page of pages) {
    const theirs = page.replace(own.named.conversation_id!, foreign.named.conversation_id!);
    const { next_cursor } = (await foreign.workspace.api.get(`${theirs}?limit=1`)).body;
    const mine = (await own.workspace.api.get(`${page}?limit=1`)).body.next_cursor as string | undefined;
    if (!next_cursor || !mine) continue;
    count++;
    const altered = (mine.startsWith('A') ? 'B' : 'A') + mine.slice(1);
    const ask = async (cursor: string) =>
      comparableAnswer(await own.workspace.api.get(`${page}?limit=1&cursor=${cursor}`), cursor);
    const [expected, actual] = [await ask(altered), await ask(next_cursor)];
    if (expected !== actual) faults.push(`${page} by cursor:\n    altered: ${expected}\n    another's: ${actual}`);
  }
  return { count, faults: count < 2 ? [...faults, 'no cursors were compared'] : faults };
}

/** An id of the same kind, or a text, that nobody has. */
function unknownLike(value: string): string {
  const id = /^(?:(\w+)_)?[0-7][0-9a-z]{25}$/.exec(value);
  if (!id) return `nobody-${value.length}`;
  const zero = publicId('stage', '0193a1f0-0000-7000-8000-00000000beef');
  return id[1] ? `${id[1]}_${zero}` : zero;
}

/** The answer without times, ids and the value of the request, so that two answers can be compared. */
function comparableAnswer({ status, headers, text }: Reply, value: string): string {
  const passing = new Set(['date', 'content-length', 'x-request-id']);
  const shown = [...headers].map(([name, content]) => (passing.has(name) ? name : `${name}: ${content}`));
  const body = text
    .replaceAll(value, '<value>')
    .replaceAll(/\b(?:[a-z]+_)*[0-7][0-9a-z]{25}\b/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>');
  return `${status} ${JSON.stringify(shown)} ${body}`;
}

/** Every row of a workspace, table by table; a job has its workspace in its payload and is no state of it. */
async function rowsOf({ sql }: TestService, { applied }: TestWorkspace): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' order by 1`,
  );
  const [{ id } = { id: '' }] = await sql<{ id: string }>('select id from workspaces where name = $1', [
    applied.workspace.name,
  ]);
  const rows = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await sql<{ all: string }>(
      `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as all from ${name} t where workspace_id = $1`,
      [id],
    );
    rows.set(name, row!.all);
  }
  return rows;
}

/** Until no job is due or running, and no report of the platform is on its way. */
async function quiet({ sql, simulator }: TestService): Promise<void> {
  const left = () => sql('select kind from jobs where worker_id is not null or run_at <= now()');
  await eventually(
    async () => [(await left()).length, simulator.pending(), (await left()).length],
    (counts) => counts.every((count) => count === 0),
    60_000,
  );
}
