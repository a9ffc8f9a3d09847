import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { openStream } from '@majlis/testing/open-stream';
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

const receive = async () => (await receiveMessage(majlis, workspace, newDigits())).conversation_id;
const set = (member: Member, id: string, body: object = {}) => member.at('PUT', `/conversations/${id}/presence`, body);
const present = async (member: Member, id: string) =>
  (await member.at('GET', `/conversations/${id}/presences`)).body.data.map(
    ({ user_id, typing }: { user_id: string; typing?: string }) => [user_id, typing ?? 'views'],
  );

describe('the presence of a person in a conversation', () => {
  it('is seen by the others, with what they type', async () => {
    const id = await receive();
    const { status, body } = await set(aisha, id, { typing: 'reply' });
    assert.deepEqual([status, body.user_id, body.typing], [200, aisha.user_id, 'reply']);
    await set(badr, id, { typing: 'note' });
    assert.deepEqual(
      (await present(badr, id)).sort(),
      [
        [aisha.user_id, 'reply'],
        [badr.user_id, 'note'],
      ].sort(),
    );
    await set(aisha, id);
    assert.deepEqual(
      (await present(badr, id)).sort(),
      [
        [aisha.user_id, 'views'],
        [badr.user_id, 'note'],
      ].sort(),
    );
  });

  it('ends 30 seconds after its last renewal, as after a crash of the browser', async () => {
    const id = await receive();
    await set(aisha, id, { typing: 'reply' });
    await majlis.advance(20);
    await set(badr, id);
    assert.equal((await present(badr, id)).length, 2);
    await majlis.advance(11);
    assert.deepEqual(await present(badr, id), [[badr.user_id, 'views']]);
    await majlis.advance(30);
    assert.deepEqual(await present(badr, id), []);
    const tooLong = await set(aisha, id, { expires_in_seconds: 31 });
    assert.deepEqual([tooLong.status, tooLong.body.errors[0].pointer], [422, '/expires_in_seconds']);
  });

  it('ends earlier where the browser says so', async () => {
    const id = await receive();
    await set(aisha, id, { expires_in_seconds: 5 });
    await majlis.advance(6);
    assert.deepEqual(await present(badr, id), []);
    await set(aisha, id);
    assert.equal((await aisha.at('DELETE', `/conversations/${id}/presence`)).status, 204);
    assert.deepEqual(await present(badr, id), []);
  });

  it('moves on to another conversation in one request', async () => {
    const [one, two] = [await receive(), await receive()];
    await set(aisha, one);
    const stream = await openStream(majlis, badr);
    const { status } = await set(aisha, two, { left_conversation_id: one });
    assert.equal(status, 200);
    assert.deepEqual(await present(badr, one), []);
    assert.equal((await present(badr, two)).length, 1);
    await stream.until(
      ({ kind, conversation_id, expires_at }) =>
        kind === 'presence' && conversation_id === one && expires_at === undefined,
    );
    // What was left is the same conversation, or none: nothing ends.
    for (const left_conversation_id of [two, one, 'odd']) {
      assert.equal((await set(aisha, two, { left_conversation_id })).status, 200);
    }
    assert.equal((await present(badr, two)).length, 1);
    await set(badr, one);
    await set(aisha, two, { left_conversation_id: one });
    assert.equal((await present(aisha, one)).length, 1);
    stream.cut();
  });

  it('is listed for the whole workspace, and leaves nothing behind', async () => {
    const [one, two] = [await receive(), await receive()];
    await set(aisha, one);
    await majlis.advance(31);
    await set(aisha, two);
    const { body } = await badr.at('GET', '/presences');
    assert.deepEqual(
      body.data.map(({ conversation_id }: { conversation_id: string }) => conversation_id),
      [two],
    );
    const [{ rows } = { rows: 0 }] = await majlis.sql<{ rows: number }>(
      'select count(*)::int as rows from presences p join users u on u.id = p.user_id where u.email = $1',
      [aisha.email],
    );
    assert.equal(rows, 1);
  });

  it('is no line of the log', async () => {
    const id = await receive();
    await set(aisha, id, { typing: 'reply' });
    assert.ok(!majlis.log.some((line) => line.includes(id)));
  });

  it('ends with the membership, and the others are told', async () => {
    const leaver = await joinWorkspace(majlis, workspace, { role: 'agent' });
    const owner = await joinWorkspace(majlis, workspace);
    const id = await receive();
    await set(leaver, id, { typing: 'reply' });
    const stream = await openStream(majlis, badr);
    await owner.at('DELETE', `/members/${leaver.user_id}`);
    await stream.until(
      (event) => event.kind === 'presence' && event.user_id === leaver.user_id && event.expires_at === undefined,
    );
    assert.deepEqual(await present(badr, id), []);
    stream.cut();
  });
});
