import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let owner: Member;
before(async () => {
  workspace = await majlis.workspace();
  owner = await joinWorkspace(majlis, workspace);
});

const receive = () => receiveMessage(majlis, workspace, newDigits());

describe('the inbox state of a person', () => {
  it('is out of reach for conversations that they may not see', async () => {
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    const { conversation_id, message_id } = await receive();
    const path = `/conversations/${conversation_id}`;
    const touch = async () => [
      await limited.at('PUT', `${path}/read-mark`, { last_read_message_id: message_id }),
      await limited.at('POST', `${path}/mark-unread`, {}),
      await limited.at('PUT', `${path}/drafts/reply`, { body: 'Hello' }),
      await limited.at('GET', `${path}/drafts`),
      await limited.at('PUT', `${path}/presence`, {}),
      await limited.at('GET', `${path}/presences`),
    ];
    const seen = async () => {
      const lists = ['/drafts', '/presences', `/read-marks?conversation_ids=${conversation_id}`];
      const answers = await Promise.all(lists.map((list) => limited.at('GET', list)));
      return answers.map(({ body }) => body.data.length);
    };
    const assign = (assignee_id: string | null) => owner.at('POST', `${path}/assign`, { assignee_id });
    // New conversations go to available agents in turn.
    await assign(null);
    assert.deepEqual(
      (await touch()).map(({ status }) => status),
      [404, 404, 404, 404, 404, 404],
    );
    await assign(limited.user_id);
    assert.deepEqual(
      (await touch()).map(({ status }) => status),
      [200, 200, 200, 200, 200, 200],
    );
    assert.deepEqual(await seen(), [1, 1, 1]);
    await assign(null);
    assert.deepEqual(await seen(), [0, 0, 0]);
    for (const part of ['drafts/reply', 'presence']) {
      assert.equal((await limited.at('DELETE', `${path}/${part}`)).status, 404, part);
    }
  });

  it('has no files of conversations that they may not see', async () => {
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    const media_id = (await uploadFile(majlis, workspace, samples.png)).body.id;
    const read = async () => (await limited.at('GET', `/media/${media_id}`)).status;
    assert.equal(await read(), 200);
    const { conversation_id } = await receive();
    const path = `/conversations/${conversation_id}`;
    await owner.at('POST', `${path}/assign`, { assignee_id: null });
    const sent = await owner.at('POST', `${path}/messages`, { kind: 'image', media_id });
    assert.equal(sent.status, 201);
    assert.equal(await read(), 404);
    await owner.at('POST', `${path}/assign`, { assignee_id: limited.user_id });
    assert.equal(await read(), 200);
  });

  it('ends with the membership; what they shared stays', async () => {
    const leaver = await joinWorkspace(majlis, workspace, { role: 'supervisor' });
    const { conversation_id, message_id } = await receive();
    const path = `/conversations/${conversation_id}`;
    const made = [
      await leaver.at('PUT', `${path}/read-mark`, { last_read_message_id: message_id }),
      await leaver.at('PUT', `${path}/drafts/note`, { body: 'Hello' }),
      await leaver.at('PUT', `${path}/presence`, {}),
      await leaver.at('PATCH', '/notification-settings', { sound: false }),
      await leaver.at('POST', '/views', { name: 'Mine', filter: {} }),
      await leaver.at('POST', '/views', { name: 'Ours', shared: true, filter: {} }),
      await leaver.at('POST', '/canned-replies', { name: 'mine', body: 'Hello' }),
      await leaver.at('POST', '/canned-replies', { name: 'ours', body: 'Hello', shared: true }),
    ];
    for (const { status, body } of made) assert.ok(status < 300, JSON.stringify(body));
    const tables = ['read_marks', 'drafts', 'presences', 'notification_settings', 'saved_views', 'canned_replies'];
    const countRows = async () => {
      const left: number[] = [];
      for (const table of tables) {
        const [row] = await majlis.sql<{ rows: number }>(
          `select count(*)::int as rows from ${table} t join users u on u.id = t.user_id where u.email = $1`,
          [leaver.email],
        );
        left.push(row!.rows);
      }
      return left;
    };
    assert.deepEqual(await countRows(), [1, 1, 1, 1, 1, 1]);
    assert.equal((await owner.at('DELETE', `/members/${leaver.user_id}`)).status, 204);
    assert.deepEqual(await countRows(), [0, 0, 0, 0, 0, 0]);
    const names = async (list: string) =>
      (await owner.at('GET', list)).body.data.map(({ name }: { name: string }) => name);
    assert.deepEqual([await names('/views'), await names('/canned-replies')], [['Ours'], ['ours']]);
  });
});
