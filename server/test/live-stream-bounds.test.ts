import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { describe, it, mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanUp, within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { onceWithin } from '@majlis/testing/once-within';
import { openRequest } from '@majlis/testing/open-request';
import { connectStream, openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member, openBrowser, password } from '@majlis/testing/people';
import { startTestService, templateMessage } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

// A heartbeat would tell a client without a place among the streams nothing, and writes to one that does not read.
// Of three streams, one workspace may have two.
const majlis = await startTestService({ env: { LIVE_STREAMS: '3', RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const join = () => joinWorkspace(majlis, workspace, { role: 'agent' });

/** Opens a stream once there is a place for it. */
const openWhenFree = (member: Member, after?: string) =>
  eventually(
    () => openStream(majlis, member, after).catch(() => undefined),
    (stream) => stream !== undefined,
  ).then((stream) => stream!);

describe('a stream ends within 5 seconds', () => {
  // The reader's clock runs on from test to test: a clock that went back would put its next check off.
  let ahead_ms = 0;
  const realNow = performance.now.bind(performance);
  mock.method(performance, 'now', () => realNow() + ahead_ms);

  /** Ends the session or the membership, lets 5 seconds pass, and then changes something. */
  async function endsBefore(member: Member, end: () => Promise<{ status: number }>) {
    const stream = await openWhenFree(member);
    assert.equal((await end()).status, 204);
    ahead_ms += 5_000;
    const late = await workspace.api.post('/messages', { to: `+${newDigits()}`, ...templateMessage });
    await within(stream.ended, 60_000, 'the stream has ended');
    assert.ok(!stream.events.some(({ message_id }) => message_id === late.body.id), 'it told a later change');
    assert.equal(stream.events.at(-1).kind, 'ended');
  }

  it('after its session is revoked in another browser', async () => {
    const member = await join();
    const { body } = await member.get('/sessions');
    const elsewhere = openBrowser(majlis);
    await elsewhere.post('/sign-in', { email: member.email, password });
    await endsBefore(member, () => elsewhere.request('DELETE', `/sessions/${body.data[0].id}`));
  });

  it('when the service stops, with the reason by which the browser comes again', async () => {
    const other = await majlis.another();
    const stream = await openStream(other, owner);
    await other.stop();
    await within(stream.ended, 60_000, 'the stream has ended');
    assert.deepEqual(stream.events.at(-1), { kind: 'ended', reason: 'restart' });
  });

  it('that is asked for before the service stops and opened behind it, with the same reason', async () => {
    const other = await majlis.another();
    const open = await openStream(other, owner);
    const { asked, stopped } = await whileHeld(majlis, 'lock table sessions', async () => {
      const asked = connectStream(other, owner);
      await untilWaiting(majlis, 1, 'token_hash from sessions');
      const stopped = other.stop();
      await within(open.ended, 60_000, 'the open stream has ended');
      return { asked, stopped };
    });
    const late = await asked;
    await within(late.ended, 60_000, 'the late stream has ended');
    assert.deepEqual(late.events, [{ kind: 'ended', reason: 'restart' }]);
    await stopped;
  });

  it('after a new password', async () => {
    const member = await join();
    const elsewhere = openBrowser(majlis);
    await elsewhere.post('/sign-in', { email: member.email, password });
    const change = () => elsewhere.request('PUT', '/password', { password: 'another horse battery' });
    await endsBefore(member, change);
  });

  it('after the end of the membership', async () => {
    const member = await join();
    await endsBefore(member, () => owner.at('DELETE', `/members/${member.user_id}`));
  });

  it('or begins anew, by the change of a right itself and before the next check of all streams', async () => {
    // Nothing else changes there.
    const quiet = await majlis.workspace();
    const [admin, member] = [await joinWorkspace(majlis, quiet), await joinWorkspace(majlis, quiet, { role: 'agent' })];
    const stream = await openWhenFree(member);
    ahead_ms -= 600_000;
    try {
      assert.equal((await admin.at('PATCH', `/members/${member.user_id}`, { role: 'supervisor' })).status, 200);
      await stream.until(({ kind, reason }) => kind === 'reset' && reason === 'rights');
    } finally {
      ahead_ms += 600_000;
    }
    stream.cut();
  });

  it('after the end of its session by age', async () => {
    const member = await join();
    const age = `update sessions set created_at = created_at - interval '31 days' where person_id =
      (select person_id from users where id = '${parseId('user', member.user_id)}')`;
    await endsBefore(member, () => majlis.sql(age).then(() => ({ status: 204 })));
  });
});

describe('the streams of a process', () => {
  it('are no more than LIVE_STREAMS, and of a workspace no more than its share: 503 with the time to come again', async () => {
    const [one, two] = [await openWhenFree(owner), await openWhenFree(owner)];
    const { status, body, headers } = await owner.get('/stream');
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'service_unavailable', '5']);
    const other = await openStream(majlis, await joinWorkspace(majlis, await majlis.workspace()));
    for (const stream of [one, other]) stream.cut();
    const three = await openWhenFree(owner);
    for (const stream of [two, three]) stream.cut();
  });

  it('are open to a person of a workspace whose share is full, where the person has another one', async () => {
    const streams = [await openWhenFree(owner), await openWhenFree(owner)];
    const both = await join();
    assert.equal((await both.get('/stream')).status, 503);
    await joinWorkspace(majlis, await majlis.workspace(), { email: both.email });
    streams.push(await openStream(majlis, both));
    for (const stream of streams) stream.cut();
  });

  it('keep no place for a client that left before its stream was open', async () => {
    const [cookie] = [...owner.cookies].map(([name, value]) => `${name}=${value}`);
    const head = ['GET /console/v1/stream HTTP/1.1', `Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin'];
    await whileHeld(majlis, 'lock table sessions', async () => {
      const impatient = await Promise.all([1, 2, 3].map(() => openRequest(majlis.url, head)));
      await untilWaiting(majlis, 1, 'from sessions');
      for (const { socket } of impatient) socket.destroy();
      // The service has time to notice: it must take no place, whether it has noticed or not.
      await pause(300);
    });
    for (const stream of [await openWhenFree(owner), await openWhenFree(owner)]) stream.cut();
  });

  it('lose a client that leaves 1 MB unread, which then resumes without a gap', async () => {
    const other = await openWhenFree(owner);
    const slow = await openUnread(owner);
    await eventually(
      () => owner.get('/stream'),
      ({ status }) => status === 503,
    );
    // More than the buffers of both ends of a connection hold. A client behind 5,000 changes reads everything again.
    const told = 4_000;
    // A client that reads has each part before the next, however slow its machine is.
    const part = 200;
    const text = 'x'.repeat(4_000);
    const insert = `insert into live_changes (workspace_id, kind, object_id, details)
      select $1, 'channel', gen_random_uuid(), json_build_object('status', $2::text || n)
      from generate_series($3::integer, $4) n`;
    for (let last = part; last <= told; last += part) {
      await majlis.sql(insert, [parseId('workspace', workspace.id), text, last - part + 1, last]);
      await other.until(({ status }) => status === `${text}${last}`);
    }
    const again = await openWhenFree(owner, slow.id);
    await again.until(({ status }) => status === `${text}${told}`);
    const [missed, all] = [again, other].map(({ events }) => events.filter(({ kind }) => kind === 'channel'));
    assert.deepEqual(missed, all);
    assert.ok(!again.events.some(({ kind }) => kind === 'reset'));
    for (const stream of [other, again]) stream.cut();
    slow.close();
  });
});

/** A stream whose client reads up to `ready` and then nothing. */
async function openUnread({ cookies }: Member): Promise<{ id: string; close(): void }> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = get(`${majlis.url}/console/v1/stream`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    agent: false,
  });
  request.on('error', () => {});
  cleanUp('a client that reads nothing', () => request.destroy());
  const [response] = (await onceWithin(request, 'response')) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  response.on('error', () => {});
  for (let text = ''; ; ) {
    const [chunk] = (await onceWithin(response, 'data')) as [Buffer];
    text += chunk.toString();
    const id = /^id: (\S+)$/m.exec(text)?.[1];
    if (id && text.includes('"ready"')) {
      response.pause();
      return { id, close: () => void request.destroy() };
    }
  }
}
