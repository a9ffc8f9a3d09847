import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { fillAdvertised } from '@majlis/testing/fill-advertised';
import { fillHistory } from '@majlis/testing/fill-history';
import { newDigits } from '@majlis/testing/messages';
import { openTestDatabase } from '@majlis/testing/open-test-database';
import { pagesByScan, rowsOf } from '@majlis/testing/plans';
import { recordPlans } from '@majlis/testing/record-plans';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';
import { useHotPaths } from '@majlis/testing/use-hot-paths';
import { parseId } from '../src/database/ids.ts';

/** What a small table, or a queue that nobody vacuums, may take besides. */
const pagesOfSmall = 250;
/** At any moment the search looks once into each workspace for what was written, and indexes it by batches of 500 messages. */
const look = /from workspaces w left join message_search_progress/;
const batch = /from messages\s+where workspace_id = \$1 and id > \$2 and id < \$3 order by id limit/;
const rowsOfBatch = 500;

/** The rows that one customer has in each table that is analysed while it grows. */
const rowsOfCustomer = { contacts: 1, contact_identities: 1, conversations: 1, messages: 2, events: 2 };

function pagesOfSearch(text: string, workspaces: number): number {
  if (look.test(text)) return workspaces + rowsOfBatch;
  return batch.test(text) ? rowsOfBatch : 0;
}

/** A service on a database of its own whose statements are recorded; autovacuum leaves it alone. */
async function startRecorded({ workspaces }: { workspaces: number }) {
  const { database, admin } = await openTestDatabase();
  // Each workspace has one customer.
  let customers = workspaces;
  if (workspaces > 0) await admin.query(fillHistory({ workspaces, contacts: 1 }));
  const take = await recordPlans(admin, database);
  const majlis = await startTestService({ env: { RATE_LIMITS: 'off' }, database });
  const workspace = await majlis.workspace();
  const advertised = newDigits();
  await admin.query(fillAdvertised(parseId('workspace', workspace.id)!, advertised));
  const paths = () => useHotPaths(majlis, workspace, { advertised });

  return {
    majlis,
    /** Until the sessions have made the plans that they keep. */
    async warmUp(rounds: number) {
      for (let n = 0; n < rounds; n++) for (const path of paths()) await path.run();
    },
    /** Sends to somebody who came by an advertisement, and answers how many messages the search of recipients read. */
    async readForAdvertised(hours: number) {
      const digits = newDigits();
      await admin.query(fillAdvertised(parseId('workspace', workspace.id)!, digits, { hours, messages: 10 }));
      take();
      assert.equal((await workspace.api.post('/messages', { to: `+${digits}`, ...templateMessage })).status, 201);
      const plans = take().filter(({ text }) => text.includes(') refused on'));
      assert.equal(plans.length, 1);
      return rowsOf(plans[0]!.nodes, 'messages');
    },
    /** Adds past customers to the workspace. */
    async grow(contacts: number) {
      await admin.query(fillHistory({ workspaces: 1, contacts }, parseId('workspace', workspace.id)!));
      customers += contacts;
    },
    /** Until the service has analysed the tables with the customers of this moment. */
    async analysed() {
      // Of a large table, ANALYZE estimates the number of rows. VACUUM sets it too, so the changes since then count as well.
      const least = Object.entries(rowsOfCustomer).map(([table, rows]) => ({ table, rows: 0.95 * rows * customers }));
      const outdated = `
        select w.table from json_to_recordset($1) as w ("table" regclass, rows float)
        join pg_class c on c.oid = w.table
        where c.reltuples < w.rows or pg_stat_get_mod_since_analyze(c.oid) > 0.1 * w.rows
          or exists (select from pg_locks where locktype = 'advisory' and objid = 20002
            and database = (select oid from pg_database where datname = current_database()))`;
      const find = async () => (await admin.query(outdated, [JSON.stringify(least)])).rows;
      await eventually(find, (tables) => tables.length === 0, 60_000);
    },
    /** The levels of the index and versions of the row; once for each time that a row is looked up. */
    readsByFullKeys({ pagesOfLookup = 8 } = {}) {
      for (const path of paths()) {
        it(path.name, async () => {
          take();
          await path.run();
          const plans = take();
          assert.ok(plans.length > 0);
          const wide = plans.flatMap(({ text, nodes }) =>
            pagesByScan(nodes)
              .filter(
                ({ pages, times }) => pages > pagesOfSmall + pagesOfLookup * times + pagesOfSearch(text, workspaces),
              )
              .map(({ scan, pages, times }) => `${scan}: ${pages} pages in ${times} scans, for ${text}`),
          );
          assert.deepEqual(wide, []);
        });
      }
    },
  };
}

const grown = await startRecorded({ workspaces: 0 });
const skewed = await startRecorded({ workspaces: 15_000 });

it('no table with a workspace_id leaves it to statistics how many rows a workspace has', async () => {
  const tables = await grown.majlis.sql<{ name: string; options: string[] | null }>(`
    select attrelid::regclass::text as name, attoptions as options from pg_attribute a join pg_class c on c.oid = attrelid
    where attname = 'workspace_id' and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`);
  assert.ok(tables.length > 30);
  const forgotten = tables.filter(({ options }) => !options?.includes('n_distinct=1')).map(({ name }) => name);
  assert.deepEqual(forgotten, []);
});

it('a failed answer is looked for only while a later one could have begun a free time that lasts', async () => {
  assert.ok((await grown.readForAdvertised(30)) > 0);
  for (const hours of [10, 200]) assert.equal(await grown.readForAdvertised(hours), 0, `${hours} hours ago`);
});

describe('in an empty database, statements find their rows by full keys', () => {
  before(() => grown.warmUp(2));
  // A table of less than 100 rows is not analysed, and one of some hundreds not yet: either may be read whole.
  grown.readsByFullKeys({ pagesOfLookup: 512 });
});

describe('in the same one with 20,000 customers, which nobody else analysed, they do too', () => {
  before(async () => {
    await grown.grow(20_000);
    await grown.analysed();
  });
  grown.readsByFullKeys();
});

describe('in a database of 15,000 small workspaces and one of 20,000 customers they do too', () => {
  before(async () => {
    await skewed.grow(20_000);
    await skewed.analysed();
  });
  skewed.readsByFullKeys();
});
