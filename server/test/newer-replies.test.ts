import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { sentTexts } from '@majlis/testing/open-composer';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { schedule, scheduledPath } from '@majlis/testing/schedule-messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let agents: Member[];
before(async () => {
  workspace = await majlis.workspace();
  agents = await Promise.all([1, 2, 3, 4, 5].map(() => joinWorkspace(majlis, workspace, { role: 'agent' })));
});

const receive = () => receiveMessage(majlis, workspace, newDigits());

/** Sends a text; undefined: nothing is compared. */
function send(member: Member, conversation_id: string, body: string, seen?: string, key?: string) {
  const headers = { ...(seen && { 'seen-reply-id': seen }), ...(key && { 'idempotency-key': key }) };
  const path = `/workspaces/${workspace.id}/conversations/${conversation_id}/messages`;
  return member.request('POST', path, { kind: 'text', body }, headers);
}

describe('a reply whose author has not seen a newer one', () => {
  it('is refused with the newer one, until its author has seen that', async () => {
    const { conversation_id } = await receive();
    const [muna, sara] = agents as [Member, Member];
    const first = await send(sara, conversation_id, 'Her answer', 'none');
    assert.equal(first.status, 201, JSON.stringify(first.body));
    const newer_reply = { message_id: first.body.id, user_id: sara.user_id };
    const held = await send(muna, conversation_id, 'My answer', 'none', 'key');
    assert.deepEqual([held.status, held.body.code, held.body.newer_reply], [409, 'newer_reply', newer_reply]);
    assert.deepEqual(await sentTexts(workspace, conversation_id), ['Her answer']);
    // One's own newer reply holds nothing back.
    assert.equal((await send(sara, conversation_id, 'And more', 'none')).status, 201);
    const again = await send(muna, conversation_id, 'My answer', first.body.id, 'key');
    assert.equal(again.status, 409);
    const seen = again.body.newer_reply.message_id;
    const sent = await send(muna, conversation_id, 'My answer', seen, 'key');
    assert.equal(sent.status, 201);
    assert.equal((await send(sara, conversation_id, 'Over it', undefined)).status, 201);
    // The answer was lost, and a colleague has replied since: it stays accepted.
    const repeated = await send(muna, conversation_id, 'My answer', seen, 'key');
    assert.deepEqual([repeated.status, repeated.body.id], [201, sent.body.id]);
    assert.deepEqual(await sentTexts(workspace, conversation_id), ['Her answer', 'And more', 'My answer', 'Over it']);
  });

  it('is compared with replies of colleagues alone', async () => {
    const { conversation_id } = await receive();
    const [muna, sara] = agents as [Member, Member];
    assert.equal((await sara.at('POST', `/conversations/${conversation_id}/notes`, { body: 'A note' })).status, 201);
    assert.equal((await send(muna, conversation_id, 'My answer', 'none')).status, 201);
    const other = await receive();
    assert.equal((await send(sara, other.conversation_id, 'Elsewhere', 'none')).status, 201);
    assert.equal((await send(muna, conversation_id, 'And more', 'none')).status, 201);
    for (const seen of ['nonsense', conversation_id, 'None']) {
      assert.equal((await send(muna, conversation_id, 'Unreadable', seen)).body.code, 'unprocessable_content');
    }
  });

  it('is one of five that were sent in the same moment: the first alone is stored', async () => {
    const { conversation_id } = await receive();
    const row = `select from conversations where id = '${parseId('conversation', conversation_id)}' for update`;
    const { sent } = await whileHeld(majlis, row, async () => {
      const sent = agents.map((agent, n) => send(agent, conversation_id, `Answer ${n}`, 'none'));
      await untilWaiting(majlis);
      return { sent };
    });
    const answers = await Promise.all(sent);
    const stored = answers.filter(({ status }) => status === 201);
    assert.equal(stored.length, 1, JSON.stringify(answers.map(({ status }) => status)));
    const { id, body } = stored[0]!.body;
    for (const answer of answers) {
      if (answer !== stored[0]) assert.deepEqual([answer.status, answer.body.newer_reply.message_id], [409, id]);
    }
    assert.deepEqual(await sentTexts(workspace, conversation_id), [body]);
  });

  it('is refused where the newer one is stored while it waits for the conversation', async () => {
    const { conversation_id } = await receive();
    const [muna, sara] = agents as [Member, Member];
    const { id, version } = await schedule(majlis, sara, conversation_id);
    const row = `select from conversations where id = '${parseId('conversation', conversation_id)}' for update`;
    const { sent } = await whileHeld(majlis, row, async () => {
      const now = sara.at('POST', scheduledPath(conversation_id, id, 'send'), { version });
      await untilWaiting(majlis);
      const over = send(muna, conversation_id, 'My answer', 'none');
      await untilWaiting(majlis, 2);
      return { sent: [now, over] };
    });
    const [faster, held] = await Promise.all(sent);
    assert.equal(faster!.status, 200, JSON.stringify(faster!.body));
    assert.deepEqual([held!.status, held!.body.newer_reply?.user_id], [409, sara.user_id]);
    assert.deepEqual(await sentTexts(workspace, conversation_id), ['See you']);
  });

  it('names a message, and what it has seen is no matter of another request', async () => {
    const { conversation_id } = await receive();
    const [muna] = agents as [Member];
    const refused = await send(muna, conversation_id, 'Hers', 'message-1');
    assert.deepEqual([refused.status, refused.body.code], [422, 'unprocessable_content']);
    const path = `/workspaces/${workspace.id}/conversations/${conversation_id}`;
    const read = await muna.request('GET', path, undefined, { 'seen-reply-id': 'message-1' });
    assert.equal(read.status, 200);
  });

  it('is no matter of the API: a key names nothing that it has seen', async () => {
    const { conversation_id } = await receive();
    assert.equal((await send(agents[0]!, conversation_id, 'Hers')).status, 201);
    const response = await fetch(`${majlis.url}/v1/conversations/${conversation_id}/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${workspace.key}`,
        'content-type': 'application/json',
        'seen-reply-id': 'none',
      },
      body: JSON.stringify({ kind: 'text', body: 'Of a program' }),
    });
    assert.equal(response.status, 201);
  });
});
