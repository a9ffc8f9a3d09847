import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { within } from '@majlis/testing/cleanup';
import { openEventStream } from '@majlis/testing/event-stream';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { receiveTexts } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { startWebhookReceiver } from '@majlis/testing/webhook-receiver';
import { whileHeld } from '@majlis/testing/while-held';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', LIVE_HEARTBEAT_SECONDS: '1' } });

const read = async ({ api }: Pick<TestWorkspace, 'api'>, query: Record<string, string> = {}): Promise<AnyJson> => {
  const reply = await api.get(`/events?${new URLSearchParams(query)}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const idsOf = (data: AnyJson[]) => data.map(({ id }) => id);

async function readOn(workspace: TestWorkspace, after?: string, more: Record<string, string> = {}) {
  const ids: string[] = [];
  for (let position = after; ; ) {
    const page = await read(workspace, { ...(position !== undefined && { after: position }), ...more });
    ids.push(...idsOf(page.data));
    position = page.next_position;
    if (!page.has_more) return { ids, position: position! };
  }
}

describe('the feed of a key', () => {
  it('has every event of its workspace once, in the bytes that receivers get, and none of another', async () => {
    const [own, other] = [await majlis.workspace(), await majlis.workspace()];
    const receiver = await startWebhookReceiver();
    await own.api.post('/webhook-endpoints', { url: receiver.url, events: ['*'] });
    await receiveTexts(majlis, own, 12);
    await receiveTexts(majlis, other, 5);
    const { ids } = await readOn(own, undefined, { limit: '5' });
    assert.deepEqual([ids.length, new Set(ids).size], [12, 12]);
    await eventually(
      () => receiver.arrivals.length,
      (count) => count === 12,
    );
    const text = (await own.api.get('/events')).text;
    for (const { body } of receiver.arrivals) assert.ok(text.includes(body.toString()));
    assert.equal((await readOn(other)).ids.length, 5);
  });

  it('goes on behind a position, and begins at the latest event where asked', async () => {
    const own = await majlis.workspace();
    await receiveTexts(majlis, own, 4);
    const first = await read(own, { limit: '2' });
    assert.equal(first.has_more, true);
    const rest = await readOn(own, first.next_position);
    assert.equal(rest.ids.length, 2);
    const latest = await read(own, { after: 'latest' });
    assert.deepEqual(latest.data, []);
    await receiveTexts(majlis, own, 1);
    assert.equal((await readOn(own, latest.next_position)).ids.length, 1);
    assert.equal((await readOn(own, rest.position)).ids.length, 1);
  });

  it('refuses what is no position of this workspace, and types that no event has', async () => {
    const [own, other] = [await majlis.workspace(), await majlis.workspace()];
    const { next_position } = await read(other);
    for (const after of [next_position, 'x', '0', '4711', `${next_position}A`, '']) {
      assertRefused(await own.api.get(`/events?after=${after}`), 422);
    }
    for (const query of ['types=message.read', 'types=message.received,', 'limit=0', 'limit=x', 'wait_seconds=-1']) {
      assertRefused(await own.api.get(`/events?${query}`), 422);
    }
    assert.equal((await own.api.post('/events', {})).status, 405);
    assert.equal((await fetch(`${majlis.url}/v1/events`)).status, 401);
  });

  it('shows nothing of a transaction that is open, and all of it later, behind what was read meanwhile', async () => {
    const own = await majlis.workspace();
    const { position } = await readOn(own);
    await receiveTexts(majlis, own, 1);
    const [event] = await majlis.sql(
      `select id from events where type = 'message.received' order by created_at desc limit 1`,
    );
    const earlier = `insert into events (workspace_id, id, type, payload, created_at)
      select workspace_id, overlay(gen_random_uuid()::text placing '01a0' from 1)::uuid, type, payload, created_at - interval '1 hour' from events where id = '${event!.id}'`;
    const { seen } = await whileHeld(majlis, earlier, async (held) => {
      await receiveTexts(majlis, own, 3);
      const seen = await readOn(own, position);
      assert.equal(seen.ids.length, 4);
      await held.commit();
      return { seen };
    });
    assert.equal((await readOn(own, seen.position)).ids.length, 1);
  });

  it('returns the events of the types that were asked for, and moves on behind the others', async () => {
    const own = await majlis.workspace();
    const types = 'message.status_updated';
    const start = await read(own, { types });
    await receiveTexts(majlis, own, 6);
    const page = await read(own, { after: start.next_position, types });
    assert.deepEqual([page.data, page.has_more], [[], false]);
    assert.notEqual(page.next_position, start.next_position);
    assert.deepEqual((await readOn(own, page.next_position)).ids, []);
    assert.equal((await readOn(own, start.next_position, { types: `${types}, message.received` })).ids.length, 6);
  });

  it('waits for the next event where asked, also in another process', async () => {
    const own = await majlis.workspace();
    const { position } = await readOn(own);
    const other = await majlis.another();
    const waits = [majlis, other].map(async ({ url }) => {
      const headers = { authorization: `Bearer ${own.key}` };
      return (
        await fetch(`${url}/v1/events?after=${position}&wait_seconds=30`, { headers })
      ).json() as Promise<AnyJson>;
    });
    await eventually(
      async () => majlis.log.filter((line) => line.includes('a follower of events')).length,
      (count) => count > 0,
    );
    await receiveTexts(majlis, own, 1);
    for (const wait of waits) assert.equal((await wait).data.length, 1);
    await other.stop();
    const nothing = await read(own, { after: 'latest', wait_seconds: '1' });
    assert.deepEqual(nothing.data, []);
  });

  it('refuses a position of 30 days ago: its reader would miss events unnoticed', async () => {
    const own = await majlis.workspace();
    const { position } = await readOn(own);
    await majlis.advance(29 * 86_400);
    await readOn(own, position);
    await majlis.advance(86_400);
    const refused = await own.api.get(`/events?after=${position}`);
    assert.deepEqual([refused.status, refused.body.code], [410, 'position_too_old']);
    await assert.rejects(openEventStream(majlis.url, own.key, { after: position }), /410/);
  });
});

describe('the stream of a key', () => {
  it('tells stored events and new ones, and resumes behind the last id', async () => {
    const own = await majlis.workspace();
    await receiveTexts(majlis, own, 3);
    const stream = await openEventStream(majlis.url, own.key);
    await eventually(
      () => stream.events.length,
      (count) => count === 3,
    );
    await receiveTexts(majlis, own, 2);
    await eventually(
      () => stream.events.length,
      (count) => count === 5,
    );
    stream.cut();
    const { ids } = await readOn(own);
    assert.deepEqual(
      stream.events.map(({ data }) => JSON.parse(data).id),
      ids,
    );
    assert.ok(stream.events.every(({ event }) => event === 'message.received'));
    const again = await openEventStream(majlis.url, own.key, { after: stream.events[2]!.id });
    await eventually(
      () => again.events.length,
      (count) => count === 2,
    );
    const last = again.events.at(-1)!.id;
    await eventually(again.id, (id) => id !== last);
    again.cut();
    assert.deepEqual((await readOn(own, again.id())).ids, []);
  });

  it('ends within seconds when its key is revoked, and so does a wait', async () => {
    const own = await majlis.workspace();
    const stream = await openEventStream(majlis.url, own.key);
    const wait = own.api.get('/events?after=latest&wait_seconds=30');
    const begun = performance.now();
    await majlis.operator('DELETE', `/workspaces/${own.id}/api-keys/backend`);
    await within(stream.ended, 60_000, 'the stream has ended');
    assertRefused(await wait, 401);
    // The wait itself ends after 30 s.
    assert.ok(performance.now() - begun < 25_000);
    assert.deepEqual(stream.events.at(-1), { id: stream.id(), event: 'ended', data: '{"reason":"revoked"}' });
  });

  it('is one of 20 for each workspace and process', async () => {
    const [own, other] = [await majlis.workspace(), await majlis.workspace()];
    const streams = await Promise.all(Array.from({ length: 20 }, () => openEventStream(majlis.url, own.key)));
    const refused = await own.api.get('/events');
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    await read(other);
    streams[0]!.cut();
    await eventually(
      () => own.api.get('/events'),
      ({ status }) => status === 200,
    );
    for (const stream of streams) stream.cut();
  });

  it('leaves a place to other workspaces, however few places the process has', async () => {
    const small = await majlis.another({ LIVE_STREAMS: '3' });
    const [own, other] = [await small.workspace(), await small.workspace()];
    const streams = await Promise.all([1, 2].map(() => openEventStream(small.url, own.key)));
    const refused = await own.api.get('/events');
    assert.deepEqual([refused.status, refused.body.code], [503, 'service_unavailable']);
    assert.equal((await other.api.get('/events')).status, 200);
    for (const stream of streams) stream.cut();
    await small.stop();
  });

  it('ends when the process ends, so that the client resumes at another', async () => {
    const own = await majlis.workspace();
    const other = await majlis.another();
    const stream = await openEventStream(other.url, own.key);
    await other.stop();
    await within(stream.ended, 60_000, 'the stream has ended');
    assert.equal(stream.events.at(-1)?.data, '{"reason":"restart"}');
  });
});

describe('a reader that is limited', () => {
  it('counts each request as one, and a stream as one', async () => {
    const limited = await majlis.another({ RATE_LIMITS: 'on' });
    const own = await majlis.workspace();
    const headers = { authorization: `Bearer ${own.key}` };
    const left = async () =>
      Number((await fetch(`${limited.url}/v1/events`, { headers })).headers.get('ratelimit-remaining'));
    const before = await left();
    const stream = await openEventStream(limited.url, own.key);
    assert.equal(await left(), before - 2);
    stream.cut();
    await limited.stop();
  });
});
