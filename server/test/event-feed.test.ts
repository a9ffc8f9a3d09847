import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import { whileHeld } from '@majlis/testing/while-held';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const feed = async (query: Record<string, string> = {}): Promise<AnyJson> =>
  (await majlis.operator('GET', `/events?${new URLSearchParams(query)}`)).body;

/** Everything behind the cursor, page by page. */
async function readOn(since: string, more: Record<string, string> = {}): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  for (let cursor = since; ; ) {
    const page = await feed({ since: cursor, ...more });
    ids.push(...page.data.map(({ id }: AnyJson) => id));
    cursor = page.next_cursor;
    if (!page.has_more) return { ids, cursor };
  }
}

describe('the feed of events', () => {
  it('has every event once, in the bytes that receivers get, page by page and of one workspace', async () => {
    const [one, other] = [await majlis.workspace(), await majlis.workspace()];
    const receiver = await startWebhookReceiver();
    await one.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
    await receiveTexts(majlis, one, 25);
    await receiveTexts(majlis, other, 25);
    const { ids, cursor } = await readOn('0', { limit: '7' });
    const stored = await majlis.sql(`select id from events where type = 'message.received'`);
    assert.deepEqual([ids.length, new Set(ids).size], [stored.length, stored.length]);
    const own = await readOn('0', { limit: '7', workspace_id: one.id });
    assert.equal(own.ids.length, 25);
    assert.deepEqual(await readOn(cursor), { ids: [], cursor });
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 25,
    );
    const { data } = await feed({ workspace_id: one.id });
    const posted = new Map(receiver.arrivals.map(({ event, body }) => [event.id, body.toString()]));
    for (const event of data) assert.equal(JSON.stringify(event), posted.get(event.id));
  });

  it('goes on behind an event by its id as by its cursor', async () => {
    const { ids } = await readOn('0');
    assert.deepEqual((await readOn(ids[9]!)).ids, ids.slice(10));
    for (const since of ['x', '-1', '1.5', 'evt_x', 'evt_01m7w3ph0af6h9e7qjcxxgs7ks', 'Infinity', '9'.repeat(40)]) {
      assert.equal((await majlis.operator('GET', `/events?since=${since}`)).status, 422, since);
    }
  });

  it('shows nothing of a transaction that is open, and all of it later, behind what was read meanwhile', async () => {
    const workspace = await majlis.workspace();
    const start = (await readOn('0')).cursor;
    await receiveTexts(majlis, workspace, 1);
    const [event] = await majlis.sql(
      `select * from events where type = 'message.received' order by created_at desc limit 1`,
    );
    await readOn(start);
    const earlier = `insert into events (workspace_id, id, type, payload, created_at)
      select workspace_id, overlay(gen_random_uuid()::text placing '01a0' from 1)::uuid, type, payload, created_at - interval '1 hour' from events where id = '${event!.id}'`;
    const { cursor } = await whileHeld(majlis, earlier, async () => {
      await receiveTexts(majlis, workspace, 3);
      const { cursor } = await readOn(start);
      assert.equal((await readOn(start)).ids.length, 4);
      return { cursor };
    });
    await majlis.sql(earlier);
    assert.equal((await readOn(cursor)).ids.length, 1);
  });

  it('leaves out nothing and repeats nothing for a reader among concurrent writers', async () => {
    const workspaces = await Promise.all([1, 2, 3, 4].map(() => majlis.workspace()));
    const start = (await readOn('0')).cursor;
    let writing = true;
    const written = (async () => {
      for (let round = 0; round < 10; round++) {
        await Promise.all(workspaces.map((workspace) => receiveTexts(majlis, workspace, 1 + ((round * 7) % 20))));
      }
    })().finally(() => {
      writing = false;
    });
    const seen: string[][] = [[], [], []];
    const cursors = [start, start, start];
    while (writing) {
      await Promise.all(
        cursors.map(async (since, reader) => {
          const { ids, cursor } = await readOn(since, { limit: '13' });
          seen[reader]!.push(...ids);
          cursors[reader] = cursor;
        }),
      );
    }
    await written;
    const all = (await readOn(start)).ids;
    for (const [reader, ids] of seen.entries()) {
      assert.deepEqual([...ids, ...(await readOn(cursors[reader]!)).ids], all);
    }
    assert.equal(new Set(all).size, all.length);
  });

  it('gives places behind those of a reader that has not committed its places yet', async () => {
    const workspace = await majlis.workspace();
    const start = (await readOn('0')).cursor;
    const [feed] = await majlis.sql('select position from event_feed');
    await receiveTexts(majlis, workspace, 1);
    const { reading } = await whileHeld(majlis, 'update event_feed set position = position + 100', async (held) => {
      const reading = readOn(start);
      await untilWaiting(majlis, 1, 'select position from event_feed for update');
      await held.commit();
      return { reading };
    });
    assert.equal((await reading).ids.length, 1);
    const [last] = await majlis.sql('select max(position) as position from events');
    // The contact is new, which is an event too.
    assert.equal(Number(last!.position), Number(feed!.position) + 102);
  });

  it('keeps events for 30 days', async () => {
    await majlis.advance(31 * 86_400);
    await eventually(
      () => majlis.sql('select id from events'),
      (rows) => rows.length === 0,
    );
    assert.deepEqual((await readOn('0')).ids, []);
    assert.deepEqual(await majlis.sql('select id from webhook_attempts'), []);
  });
});
