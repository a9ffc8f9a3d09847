import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { connectStream, type OpenStream, openStream } from '@majlis/testing/open-stream';
import { joinWorkspace } from '@majlis/testing/people';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService();
const workspace = await majlis.workspace();
const owner = await joinWorkspace(majlis, workspace);
const begin = async (at = workspace) =>
  (await at.api.post('/messages', { to: `+${newDigits()}`, ...templateMessage })).body as {
    id: string;
    conversation_id: string;
  };
const change = (of: TestWorkspace, from: number, to: number) =>
  majlis.sql(
    `insert into live_changes (workspace_id, kind, object_id, details)
     select $1, 'channel', gen_random_uuid(), json_build_object('status', n::text) from generate_series($2::integer, $3) n`,
    [parseId('workspace', of.id), from, to],
  );

describe('a live stream that begins behind an event', () => {
  it('goes on at the end of the feed, where nothing was missed', async () => {
    const first = await openStream(majlis, owner);
    first.cut();
    const second = await openStream(majlis, owner, first.id());
    const next = await begin();
    await second.until((event) => event.message_id === next.id);
    assert.ok(!second.events.some(({ kind }) => kind === 'reset'));
    second.cut();
  });

  it('goes on behind the last event after a cut', async () => {
    const first = await openStream(majlis, owner);
    const seen = await begin();
    await first.until((event) => event.message_id === seen.id && event.status === 'read');
    const after = first.id();
    first.cut();
    const missed = [await begin(), await begin()];
    const second = await openStream(majlis, owner, after);
    for (const { id } of missed) await second.until((event) => event.kind === 'message' && event.message_id === id);
    assert.ok(!second.events.some((event) => event.message_id === seen.id || event.kind === 'reset'));
    const later = await begin();
    await second.until((event) => event.kind === 'message' && event.message_id === later.id);
    second.cut();
  });

  it('tells two that resume at one moment behind different events each what it missed, once', async () => {
    let first: OpenStream | undefined;
    const after: (string | undefined)[] = [];
    first = await openStream(majlis, owner, undefined, ({ kind }) => {
      if (kind === 'note') after.push(first?.id());
    });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const note = await owner.at('POST', `/conversations/${(await begin()).conversation_id}/notes`, { body: 'x' });
      ids.push(note.body.id);
      await first.until(({ message_id }) => message_id === note.body.id);
    }
    first.cut();
    // Both join before the next turn of the reader.
    const streams = await whileHeld(majlis, 'select from live_feed for update', async () => {
      await begin();
      return [await connectStream(majlis, owner, after[0]), await connectStream(majlis, owner, after[1])];
    });
    const notes = await Promise.all(
      streams.map(async (stream) => {
        const last = await begin();
        await stream.until(({ message_id }) => message_id === last.id);
        return stream.events.filter(({ kind }) => kind === 'note').map(({ message_id }) => message_id);
      }),
    );
    assert.deepEqual(notes, [ids.slice(1), ids.slice(2)]);
    for (const stream of streams) stream.cut();
  });

  it('asks who missed a change of their rights for a new reading, and nobody who has it', async () => {
    const first = await openStream(majlis, owner);
    const before = first.id();
    const ids = [parseId('workspace', workspace.id), parseId('user', owner.user_id)];
    await majlis.sql(`insert into live_changes (workspace_id, kind, object_id) values ($1, 'rights', $2)`, ids);
    await first.until(({ kind, user_id }) => kind === 'member' && user_id === owner.user_id);
    const behind = first.id();
    first.cut();
    // Both join before the next turn of the reader, which reads once for both.
    const streams = await whileHeld(majlis, 'select from live_feed for update', async () => {
      await begin();
      return [await connectStream(majlis, owner, before), await connectStream(majlis, owner, behind)];
    });
    const last = await begin();
    for (const stream of streams) await stream.until(({ message_id }) => message_id === last.id);
    assert.deepEqual(
      streams.map(({ events }) => events.find(({ kind }) => kind === 'reset')?.reason),
      ['rights', undefined],
    );
    for (const stream of streams) stream.cut();
  });

  it('tells up to 5,000 missed changes, and asks for a new reading beyond', async () => {
    const quiet = await majlis.workspace();
    const person = await joinWorkspace(majlis, quiet);
    const first = await openStream(majlis, person);
    const after = first.id();
    first.cut();
    await change(quiet, 1, 5_000);
    const told = await openStream(majlis, person, after);
    await told.until(({ status }) => status === '5000');
    assert.ok(!told.events.some(({ kind }) => kind === 'reset'));
    told.cut();
    await change(quiet, 5_001, 5_001);
    const behind = await openStream(majlis, person, after);
    assert.equal((await behind.until(({ kind }) => kind === 'reset')).reason, 'too_old');
    behind.cut();
  });

  it('asks for a new reading where changes are not kept', async () => {
    const first = await openStream(majlis, owner);
    const after = first.id()!;
    first.cut();
    const [, position] = after.split('-');
    await begin();
    for (const unknown of [`00000000-${position}`, after.replace(/-.*/, '-999999999'), 'nonsense']) {
      const other = await openStream(majlis, owner, unknown);
      assert.deepEqual(await other.until(({ kind }) => kind === 'reset'), { kind: 'reset', reason: 'too_old' });
      other.cut();
    }
  });

  for (const [feed, position] of [
    ['an empty', 0],
    ['a longer', 1_000_000],
  ] as const) {
    it(`asks for a new reading after a crash of PostgreSQL, which leaves ${feed} feed of another life`, async () => {
      const first = await openStream(majlis, owner);
      const after = first.id()!;
      // A crash empties the unlogged tables.
      await majlis.sql(
        `truncate live_feed, live_changes; insert into live_feed (position, forgotten) values (${position}, ${position})`,
      );
      await first.until(({ kind }) => kind === 'reset');
      const { id } = await begin();
      await first.until((event) => event.message_id === id);
      assert.notEqual(first.id()!.split('-')[0], after.split('-')[0]);
      first.cut();
    });
  }

  it('asks for a new reading in a restored database, which has an earlier position of the same life', async () => {
    const first = await openStream(majlis, owner);
    await majlis.sql('with gone as (delete from live_changes) update live_feed set position = 0, forgotten = 0');
    await first.until(({ kind }) => kind === 'reset');
    first.cut();
  });

  it('goes on behind the last deleted change, which the client has', async () => {
    const first = await openStream(majlis, owner);
    const { id } = await begin();
    await first.until((event) => event.message_id === id);
    first.cut();
    const after = first.id()!;
    await majlis.sql('update live_feed set forgotten = $1', [Number(after.split('-')[1])]);
    const second = await openStream(majlis, owner, after);
    const next = await begin();
    await second.until((event) => event.message_id === next.id);
    assert.ok(!second.events.some(({ kind }) => kind === 'reset'));
    second.cut();
  });

  it('deletes old changes, and then asks for a new reading', async () => {
    const first = await openStream(majlis, owner);
    const after = first.id()!;
    const { id } = await begin();
    await first.until((event) => event.message_id === id);
    first.cut();
    await majlis.sql(`update live_changes set changed_at = changed_at - interval '1 hour'`);
    await majlis.advance(61);
    await eventually(
      () => majlis.sql(`select from live_changes where changed_at < now() - interval '30 minutes'`),
      (rows) => rows.length === 0,
    );
    const second = await openStream(majlis, owner, after);
    await second.until(({ kind }) => kind === 'reset');
    second.cut();
  });
});
