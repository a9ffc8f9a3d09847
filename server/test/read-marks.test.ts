import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let aisha: Member;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace, { role: 'agent' });
  badr = await joinWorkspace(majlis, workspace, { role: 'agent' });
});

const receive = (digits: string) => receiveMessage(majlis, workspace, digits);
const unread = async (member: Member, ...ids: string[]): Promise<number[]> => {
  const { status, body } = await member.at('GET', `/read-marks?conversation_ids=${ids.join(',')}`);
  assert.equal(status, 200, JSON.stringify(body));
  const marks = new Map(body.data.map((mark: { conversation_id: string }) => [mark.conversation_id, mark]));
  return ids.map((id) => (marks.get(id) as { unread_count: number } | undefined)?.unread_count ?? -1);
};
const read = (member: Member, conversation_id: string, last_read_message_id: string) =>
  member.at('PUT', `/conversations/${conversation_id}/read-mark`, { last_read_message_id });

describe('a read mark', () => {
  it('is the own one of each person, and counts what the customer wrote since', async () => {
    const digits = newDigits();
    const first = await receive(digits);
    const second = await receive(digits);
    const { conversation_id } = first;
    assert.deepEqual(await unread(aisha, conversation_id), [2]);
    const { status, body } = await read(aisha, conversation_id, first.message_id);
    assert.deepEqual(
      [status, body],
      [200, { conversation_id, last_read_message_id: first.message_id, unread_count: 1 }],
    );
    await read(aisha, conversation_id, second.message_id);
    assert.deepEqual([await unread(aisha, conversation_id), await unread(badr, conversation_id)], [[0], [2]]);
    await workspace.api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'Hello' });
    assert.deepEqual(await unread(aisha, conversation_id), [0]);
    await receive(digits);
    assert.deepEqual([await unread(aisha, conversation_id), await unread(badr, conversation_id)], [[1], [3]]);
  });

  it('does not go back when an older tab reads less', async () => {
    const digits = newDigits();
    const [first, second] = [await receive(digits), await receive(digits)];
    await read(aisha, first.conversation_id, second.message_id);
    const { body } = await read(aisha, first.conversation_id, first.message_id);
    assert.deepEqual([body.last_read_message_id, body.unread_count], [second.message_id, 0]);
  });

  it('of a page of conversations is read in one request; unknown ones are left out', async () => {
    const [one, two] = [await receive(newDigits()), await receive(newDigits())];
    await read(aisha, two.conversation_id, two.message_id);
    assert.deepEqual(await unread(aisha, one.conversation_id, two.conversation_id, 'cv_nobody', ''), [1, 0, -1, -1]);
    const many = Array.from({ length: 101 }, (_, n) => `cv_${n}`);
    assert.equal((await aisha.at('GET', `/read-marks?conversation_ids=${many.slice(1)}`)).status, 200);
    const refused = await aisha.at('GET', `/read-marks?conversation_ids=${many}`);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/conversation_ids']);
  });

  it('can be set back, to the last message of the customer or to any', async () => {
    const digits = newDigits();
    const [first, second] = [await receive(digits), await receive(digits)];
    const { conversation_id } = first;
    await read(aisha, conversation_id, second.message_id);
    const unreadFrom = (first_unread_message_id?: string) =>
      aisha.at('POST', `/conversations/${conversation_id}/mark-unread`, { first_unread_message_id });
    const last = await unreadFrom();
    assert.deepEqual([last.status, last.body.unread_count, last.body.last_read_message_id], [200, 1, first.message_id]);
    const all = await unreadFrom(first.message_id);
    assert.deepEqual([all.body.unread_count, all.body.last_read_message_id], [2, undefined]);
    assert.deepEqual(await unread(aisha, conversation_id), [2]);
    await read(aisha, conversation_id, second.message_id);
    assert.deepEqual(await unread(aisha, conversation_id), [0]);
  });

  it('is where the person joined, before the first one', async () => {
    const old = await receive(newDigits());
    const newcomer = await joinWorkspace(majlis, workspace, { role: 'agent' });
    assert.deepEqual(await unread(newcomer, old.conversation_id), [0]);
    await newcomer.at('POST', `/conversations/${old.conversation_id}/mark-unread`, {});
    assert.deepEqual(await unread(newcomer, old.conversation_id), [1]);
  });

  it("resets the team's own count once nothing is left to read, and raises it never", async () => {
    const digits = newDigits();
    const [first, second] = [await receive(digits), await receive(digits)];
    const { conversation_id } = first;
    const counted = async () => (await workspace.api.get(`/conversations/${conversation_id}`)).body.unread_count;
    await read(aisha, conversation_id, first.message_id);
    assert.equal(await counted(), 2);
    await read(aisha, conversation_id, second.message_id);
    assert.equal(await counted(), 0);
    await aisha.at('POST', `/conversations/${conversation_id}/mark-unread`, {});
    assert.equal(await counted(), 0);
  });

  it('is refused for a message of another conversation', async () => {
    const [one, two] = [await receive(newDigits()), await receive(newDigits())];
    for (const id of [two.message_id, 'msg_nobody', one.conversation_id]) {
      const { status, body } = await read(aisha, one.conversation_id, id);
      assert.deepEqual([status, body.errors[0].pointer], [422, '/last_read_message_id']);
    }
  });
});
