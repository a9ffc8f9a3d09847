import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, openBrowser, password } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { LIVE_HEARTBEAT_SECONDS: '1' } });
const workspace = await majlis.workspace({ teams: [{ name: 'Sales' }] });
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

describe('the live stream', () => {
  it('tells a send, its statuses and the customer, by ids', async () => {
    const stream = await openStream(majlis, owner);
    const { id, conversation_id } = await begin();
    const told = await stream.until(({ kind, message_id }) => kind === 'message' && message_id === id);
    const common = { workspace_id: workspace.id, conversation_id };
    assert.deepEqual(told, { kind: 'message', ...common, message_id: id, in_row: true });
    await stream.until(({ kind, message_id, status }) => kind === 'status' && message_id === id && status === 'read');
    await stream.until(({ kind }) => kind === 'contact');
    // Rows alone have texts, and are read when they are told.
    const texts = JSON.stringify(stream.events.filter(({ kind }) => kind !== 'row'));
    assert.doesNotMatch(texts, /Muna|\+968\d{8}/);
    stream.cut();
  });

  it('tells what a customer writes, and what happens to the conversation and the contact', async () => {
    const stream = await openStream(majlis, owner);
    const { message_id, conversation_id, contact_id } = await receiveMessage(majlis, workspace, newDigits());
    await stream.until((event) => event.kind === 'message' && event.message_id === message_id);
    await stream.until((event) => event.kind === 'conversation' && event.conversation_id === conversation_id);
    const at = `/conversations/${conversation_id}`;
    await owner.at('POST', `${at}/assign`, { assignee_id: owner.user_id });
    await stream.until((event) => event.kind === 'assignment' && event.conversation_id === conversation_id);
    const note = await owner.at('POST', `${at}/notes`, { body: 'Call @them' });
    await stream.until((event) => event.kind === 'note' && event.message_id === note.body.id);
    const before = stream.events.length;
    await owner.at('POST', `${at}/close`, {});
    await eventually(
      () => stream.events.slice(before),
      (later) => later.some((event) => event.kind === 'conversation' && event.conversation_id === conversation_id),
    );
    await owner.at('PATCH', `/contacts/${contact_id}`, { name: 'Muna' });
    await stream.until((event) => event.kind === 'contact' && event.contact_id === contact_id);
    stream.cut();
  });

  it('tells a closing that the reading of the conversation follows at once', async () => {
    const { message_id, conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    const stream = await openStream(majlis, owner);
    const before = stream.events.length;
    // Both changes come to the reader together.
    await whileHeld(majlis, 'select from live_feed for update', async () => {
      await owner.at('POST', `/conversations/${conversation_id}/close`, {});
      const read = { last_read_message_id: message_id };
      assert.equal((await owner.at('PUT', `/conversations/${conversation_id}/read-mark`, read)).status, 200);
    });
    const ofIt = () => stream.events.slice(before).filter((event) => event.conversation_id === conversation_id);
    await eventually(ofIt, (told) => told.some(({ kind }) => kind === 'read_mark'));
    const told = ofIt().filter(({ kind }) => kind === 'conversation');
    assert.ok(
      told.some(({ unread_count }) => unread_count === undefined),
      JSON.stringify(told),
    );
    stream.cut();
  });

  it('tells all of more changes at once than one reading takes', async () => {
    const stream = await openStream(majlis, owner);
    await change(workspace, 1, 2_500);
    await stream.until(({ status }) => status === '2500');
    const told = stream.events.filter(({ kind }) => kind === 'channel').map(({ status }) => Number(status));
    assert.deepEqual(
      told,
      Array.from({ length: 2_500 }, (_, n) => n + 1),
    );
    stream.cut();
  });

  it('reads no changes once nobody listens', async () => {
    (await openStream(majlis, owner)).cut();
    await eventually(
      async () => {
        const { id } = await begin();
        // A reader at work would take its turn during these.
        for (let n = 0; n < 30; n++) await begin();
        return majlis.sql('select from live_changes where object_id = $1 and position is null', [
          parseId('message', id),
        ]);
      },
      ({ length }) => length > 0,
    );
  });

  it('beats, with the position of a quiet workspace', async () => {
    const quiet = await majlis.workspace();
    const person = await joinWorkspace(majlis, quiet);
    const stream = await openStream(majlis, person);
    const ready = stream.id();
    await begin();
    await eventually(
      () => stream.id(),
      (id) => id !== ready,
    );
    assert.deepEqual(
      stream.events.map(({ kind }) => kind),
      ['ready'],
    );
    stream.cut();
  });

  it('tells an erased contact, and each conversation that is gone', async () => {
    const stream = await openStream(majlis, owner);
    const { conversation_id, contact_id } = await receiveMessage(majlis, workspace, newDigits());
    await stream.until((event) => event.conversation_id === conversation_id);
    assert.equal((await owner.post('/confirm', { password })).status, 204);
    assert.equal((await owner.at('DELETE', `/contacts/${contact_id}`)).status, 204);
    await stream.until((event) => event.kind === 'removed' && event.conversation_id === conversation_id);
    await stream.until((event) => event.kind === 'contact' && event.contact_id === contact_id);
    stream.cut();
  });

  it('is refused to strangers, to other sites, and beyond twenty of a person', async () => {
    const stranger = openBrowser(majlis);
    assert.equal((await stranger.get('/stream')).body.code, 'signed_out');
    const other = await owner.request('GET', '/stream', undefined, { 'sec-fetch-site': 'cross-site' });
    assert.equal(other.body.code, 'cross_site_request');
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(majlis, owner)));
    assert.equal((await owner.get('/stream')).body.code, 'too_many_streams');
    for (const stream of streams) stream.cut();
    await eventually(
      () =>
        openStream(majlis, owner).then(
          (stream) => stream.cut(),
          (error) => error,
        ),
      (error) => error === undefined,
    );
  });
});
