import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { type OpenStream, openStream } from '@majlis/testing/open-stream';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let aisha: Member;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
  badr = await joinWorkspace(majlis, workspace, { role: 'agent' });
});

const receive = () => receiveMessage(majlis, workspace, newDigits());
const kindsOf = ({ events }: OpenStream) => new Set(events.map(({ kind }) => kind));

describe('the live stream', () => {
  it('tells the others who views and who types, and until when', async () => {
    const { conversation_id } = await receive();
    const stream = await openStream(majlis, badr);
    const path = `/conversations/${conversation_id}/presence`;
    const common = { workspace_id: workspace.id, conversation_id, user_id: aisha.user_id };
    const { expires_at } = (await aisha.at('PUT', path, { typing: 'note' })).body;
    const typing = await stream.until(({ kind }) => kind === 'typing');
    assert.deepEqual(typing, { kind: 'typing', ...common, typing: 'note', expires_at });
    const viewing = (await aisha.at('PUT', path, {})).body;
    const seen = await stream.until(({ kind }) => kind === 'presence');
    assert.deepEqual(seen, { kind: 'presence', ...common, expires_at: viewing.expires_at });
    await aisha.at('DELETE', path);
    const left = await stream.until((event) => event.kind === 'presence' && event.expires_at === undefined);
    assert.deepEqual(left, { kind: 'presence', ...common });
    stream.cut();
  });

  it('tells of a snooze that has ended, though nobody did anything', async () => {
    const { conversation_id } = await receive();
    const now = Date.parse((await badr.get('/session')).body.now);
    const until = new Date(now + 3_600_000).toISOString();
    assert.equal((await badr.at('POST', `/conversations/${conversation_id}/snooze`, { until })).status, 200);
    const stream = await openStream(majlis, badr);
    await stream.until(({ kind }) => kind === 'ready');
    await majlis.advance(3_601);
    await stream.until((event) => event.kind === 'conversation' && event.conversation_id === conversation_id);
    const { data } = (await badr.at('GET', '/inbox')).body;
    assert.ok(data.some((row: { conversation: { id: string } }) => row.conversation.id === conversation_id));
    stream.cut();
  });

  it('tells a person of their own read marks, drafts and settings, and nobody else', async () => {
    const { conversation_id, message_id } = await receive();
    const [own, other] = [await openStream(majlis, aisha), await openStream(majlis, badr)];
    const path = `/conversations/${conversation_id}`;
    const common = { workspace_id: workspace.id, conversation_id };
    await aisha.at('PUT', `${path}/read-mark`, { last_read_message_id: message_id });
    assert.deepEqual(await own.until(({ kind }) => kind === 'read_mark'), {
      kind: 'read_mark',
      ...common,
      last_read_message_id: message_id,
      unread_count: 0,
    });
    const [reply, note] = await Promise.all(
      ['reply', 'note'].map((kind) => aisha.at('PUT', `${path}/drafts/${kind}`, { body: 'a secret thought' })),
    );
    for (const { kind, version } of [reply!.body, note!.body]) {
      assert.deepEqual(await own.until((event) => event.version === version), {
        kind: `${kind}_draft`,
        ...common,
        version,
      });
    }
    await aisha.at('DELETE', `${path}/drafts/reply`);
    await own.until((event) => event.kind === 'reply_draft' && event.version === undefined);
    await aisha.at('PATCH', '/notification-settings', { sound: false });
    await own.until(({ kind }) => kind === 'notification_settings');
    // What comes last on the other stream shows that nothing was told before.
    await aisha.at('PUT', `${path}/presence`, {});
    await other.until((event) => event.kind === 'presence' && event.conversation_id === conversation_id);
    for (const kind of ['read_mark', 'reply_draft', 'note_draft', 'notification_settings']) {
      assert.ok(!kindsOf(other).has(kind), kind);
    }
    assert.ok(!JSON.stringify([own.events, other.events]).includes('secret thought'));
    // Aisha has read all, so the team's count is zero now.
    assert.ok(other.events.some((event) => event.kind === 'conversation' && event.conversation_id === conversation_id));
    for (const stream of [own, other]) stream.cut();
  });

  it('tells everybody of shared views and canned replies, and a person of their own', async () => {
    const other = await openStream(majlis, badr);
    const own = await openStream(majlis, aisha);
    const make = async (path: string, body: object) => (await aisha.at('POST', path, body)).body.id;
    const ids = {
      own_view: await make('/views', { name: 'Mine', filter: {} }),
      own_reply: await make('/canned-replies', { name: 'mine', body: 'Hello' }),
      view: await make('/views', { name: 'Ours', filter: {}, shared: true }),
      reply: await make('/canned-replies', { name: 'ours', body: 'Hello', shared: true }),
    };
    await own.until(({ view_id }) => view_id === ids.own_view);
    await own.until(({ canned_reply_id }) => canned_reply_id === ids.own_reply);
    await other.until((event) => event.kind === 'saved_view' && event.view_id === ids.view);
    await other.until((event) => event.kind === 'canned_reply' && event.canned_reply_id === ids.reply);
    const told = JSON.stringify(other.events);
    assert.ok(!told.includes(ids.own_view) && !told.includes(ids.own_reply), told);
    for (const stream of [own, other]) stream.cut();
  });

  it('tells nothing of a conversation that a person may not see', async () => {
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const owner = await joinWorkspace(majlis, workspace);
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    const [hidden, visible] = [await receive(), await receive()];
    await owner.at('POST', `/conversations/${hidden.conversation_id}/assign`, { assignee_id: null });
    await owner.at('POST', `/conversations/${visible.conversation_id}/assign`, { assignee_id: limited.user_id });
    const stream = await openStream(majlis, limited);
    for (const { conversation_id } of [hidden, visible]) {
      await aisha.at('PUT', `/conversations/${conversation_id}/presence`, { typing: 'reply' });
    }
    await stream.until((event) => event.kind === 'typing' && event.conversation_id === visible.conversation_id);
    assert.ok(!stream.events.some((event) => event.conversation_id === hidden.conversation_id));
    stream.cut();
  });
});
