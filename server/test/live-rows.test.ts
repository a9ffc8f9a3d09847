import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { type OpenStream, openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { messageReceiver } from '@majlis/testing/receive-message';
import { schedule } from '@majlis/testing/schedule-messages';
import { startTestService } from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace({ teams: [{ name: 'Sales' }] });
const [aisha, badr] = [await joinWorkspace(majlis, workspace), await joinWorkspace(majlis, workspace)];

const receiver = messageReceiver(majlis, workspace);

async function receive(digits = newDigits(), text = 'Hello') {
  const { id, conversation_id, actor_id } = await receiver(digits, 'text', text);
  return { message_id: id, conversation_id, contact_id: actor_id };
}

const rowsOf = ({ events }: OpenStream, id: string): AnyJson[] =>
  events.filter((event) => event.kind === 'row' && event.conversation_id === id);

/** The row as the list of the person has it now, in the view. */
async function readRow(person: Member, id: string, view = 'all'): Promise<AnyJson> {
  const { data } = (await person.at('GET', `/inbox?view=${view}&limit=100`)).body;
  return data.find((row: AnyJson) => row.conversation.id === id);
}

/** Waits for the first row of the conversation behind `from` that fits. */
async function untilRow(stream: OpenStream, id: string, fits: (event: AnyJson) => boolean): Promise<AnyJson> {
  return stream.until((event) => event.kind === 'row' && event.conversation_id === id && fits(event));
}

describe('the rows of a live stream', () => {
  it('are what the list of each person has, with their own unread messages and draft', async () => {
    const digits = newDigits();
    const first = await receive(digits, 'One');
    const id = first.conversation_id;
    const read = await aisha.at('PUT', `/conversations/${id}/read-mark`, { last_read_message_id: first.message_id });
    assert.equal(read.status, 200);
    const draft = await badr.at('PUT', `/conversations/${id}/drafts/reply`, { body: 'So' });
    assert.equal(draft.status, 200);
    const streams = await Promise.all([aisha, badr].map((person) => openStream(majlis, person)));
    await receive(digits, 'Two');
    for (const [n, person] of [aisha, badr].entries()) {
      const told = await untilRow(streams[n]!, id, ({ row }) => row.preview.body === 'Two');
      assert.equal(told.row.own_unread_count, n + 1);
      assert.equal(told.row.has_draft, person === badr);
      assert.equal(told.is_snoozed, false);
      assert.deepEqual(told.row, await readRow(person, id));
    }
    for (const stream of streams) stream.cut();
  });

  it('come before the change that they have, and whoever has the change has its row', async () => {
    const stream = await openStream(majlis, aisha);
    const { message_id, conversation_id } = await receive();
    const told = await stream.until((event) => event.kind === 'message' && event.message_id === message_id);
    assert.equal(told.in_row, true);
    const row = stream.events.findIndex((event) => event.kind === 'row' && event.conversation_id === conversation_id);
    assert.ok(row >= 0 && row < stream.events.indexOf(told));
    stream.cut();
  });

  it('follow every step of a conversation, as a fresh reading has it', async () => {
    const { conversation_id: id } = await receive();
    const stream = await openStream(majlis, aisha);
    const [team] = workspace.applied.teams;
    const now = Date.parse((await badr.get('/session')).body.now);
    const until = new Date(now + 3_600_000).toISOString();
    const to = (body: object) => badr.at('POST', `/conversations/${id}/assign`, body);
    const steps: [string, () => Promise<{ status: number }>, (event: AnyJson) => boolean, string | undefined][] = [
      [
        'reply',
        () => badr.at('POST', `/conversations/${id}/messages`, { kind: 'text', body: 'Yes' }),
        ({ row }) => row.preview.status === 'read',
        'all',
      ],
      [
        'assign',
        () => to({ assignee_id: aisha.user_id, team_id: team.id }),
        ({ row }) => row.conversation.team_id === team.id,
        'mine',
      ],
      [
        'snooze',
        () => badr.at('POST', `/conversations/${id}/snooze`, { until }),
        ({ is_snoozed }) => is_snoozed,
        'snoozed',
      ],
      [
        'close',
        () => badr.at('POST', `/conversations/${id}/close`, {}),
        ({ row }) => row.conversation.status === 'closed',
        'closed',
      ],
      [
        'reopen',
        () => badr.at('POST', `/conversations/${id}/reopen`),
        ({ row }) => row.conversation.status === 'open',
        undefined,
      ],
    ];
    for (const [name, act, fits, view] of steps) {
      const { status } = await act();
      assert.ok(status < 300, `${name} answered ${status}`);
      await untilRow(stream, id, fits);
      if (view) assert.deepEqual(rowsOf(stream, id).at(-1)!.row, await readRow(aisha, id, view), name);
    }
    stream.cut();
  });

  it('come with each kind of change that a row shows', async () => {
    const digits = newDigits();
    const { conversation_id: id } = await receive(digits);
    const uuid = parseId('conversation', id);
    const stream = await openStream(majlis, aisha);
    const act = (name: string, body: object) => badr.at('POST', `/conversations/${id}/${name}`, body);
    const acts: [kind: string, act: () => Promise<unknown>][] = [
      ['message', () => receive(digits)],
      ['status', () => act('messages', { kind: 'text', body: 'Yes' })],
      ['note', () => act('notes', { body: 'Call her' })],
      ['assignment', () => act('assign', { assignee_id: aisha.user_id })],
      ['scheduled_message', () => schedule(majlis, badr, id)],
      // As a workflow and an AI agent do when they give the conversation to people.
      ['handover', () => majlis.sql('update conversations set bot_handed_over_at = now() where id = $1', [uuid])],
      ['conversation', () => act('close', {})],
    ];
    for (const [kind, change] of acts) {
      const at = stream.events.length;
      await change();
      const told = await stream.until((event) => event.kind === kind && stream.events.indexOf(event) >= at);
      assert.equal(told.in_row, true, kind);
    }
    stream.cut();
  });

  it('tell nobody of a conversation that they may not see', async () => {
    const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await aisha.at('PATCH', `/members/${agent.user_id}`, { own_teams_only: true });
    const stream = await openStream(majlis, agent);
    const digits = newDigits();
    const { conversation_id: id, contact_id } = await receive(digits, 'Hidden');
    const assign = (assignee_id: string) => aisha.at('POST', `/conversations/${id}/assign`, { assignee_id });
    await assign(agent.user_id);
    assert.equal((await untilRow(stream, id, () => true)).row.conversation.assignee_id, agent.user_id);
    await assign(badr.user_id);
    await stream.until(({ kind, conversation_id }) => kind === 'removed' && conversation_id === id);
    await receive(digits, 'Hidden again');
    await badr.at('PATCH', `/contacts/${contact_id}`, { name: 'Hidden name' });
    const own = await receive();
    await aisha.at('POST', `/conversations/${own.conversation_id}/assign`, { assignee_id: agent.user_id });
    await untilRow(stream, own.conversation_id, () => true);
    assert.doesNotMatch(JSON.stringify(stream.events), /Hidden (again|name)/);
    stream.cut();
  });

  it('have the new name of a customer, and the change of the contact says so', async () => {
    const { conversation_id: id, contact_id } = await receive();
    const stream = await openStream(majlis, aisha);
    const { status } = await badr.at('PATCH', `/contacts/${contact_id}`, { name: 'Muna', tags: ['gold'] });
    assert.equal(status, 200);
    const changed = await stream.until((event) => event.kind === 'contact' && event.contact_id === contact_id);
    assert.equal(changed.in_row, true);
    const { conversation } = rowsOf(stream, id).at(-1)!.row;
    assert.deepEqual([conversation.contact_name, conversation.tags], ['Muna', ['gold']]);
    stream.cut();
  });

  it('leave an erased conversation out', async () => {
    const stream = await openStream(majlis, aisha);
    const { conversation_id: id, contact_id } = await receive(newDigits(), 'Forget me');
    await untilRow(stream, id, () => true);
    const at = stream.events.length;
    assert.equal((await aisha.at('DELETE', `/contacts/${contact_id}`)).status, 204);
    await stream.until(({ kind, conversation_id }) => kind === 'removed' && conversation_id === id);
    assert.doesNotMatch(JSON.stringify(stream.events.slice(at)), /Forget me/);
    stream.cut();
  });

  it('are not told where many conversations change at once: those changes say that lists must be read', async () => {
    const stream = await openStream(majlis, aisha);
    const received = await whileHeld(majlis, 'select from live_feed for update', async () => {
      const all = [];
      for (let n = 0; n < 21; n++) all.push(await receive());
      return all;
    });
    for (const { message_id, conversation_id } of received) {
      const told = await stream.until((event) => event.kind === 'message' && event.message_id === message_id);
      assert.equal(told.in_row, undefined);
      assert.deepEqual(rowsOf(stream, conversation_id), []);
    }
    stream.cut();
  });

  it('say nothing of the status of an earlier message', async () => {
    const digits = newDigits();
    const { conversation_id: id } = await receive(digits);
    const { body: sent } = await aisha.at('POST', `/conversations/${id}/messages`, { kind: 'text', body: 'First' });
    const stream = await openStream(majlis, aisha);
    const ofStatus = (status: string) => (event: AnyJson) => event.message_id === sent.id && event.status === status;
    await eventually(
      async () => (await aisha.at('GET', `/messages/${sent.id}`)).body,
      ({ status }) => status === 'read',
    );
    await receive(digits, 'Later');
    await untilRow(stream, id, ({ row }) => row.preview.body === 'Later');
    const at = stream.events.length;
    await majlis.sql("update messages set status = 'failed' where id = $1", [parseId('message', sent.id)]);
    assert.equal((await stream.until(ofStatus('failed'))).in_row, true);
    assert.ok(!stream.events.slice(at).some(({ kind }) => kind === 'row'));
    stream.cut();
  });
});
