import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, password } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { ageConversation, closeConversation, setRetention } from '@majlis/testing/retention';
import { startTestService } from '@majlis/testing/start-test-service';
import { withTrigger } from '@majlis/testing/with-trigger';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

const assertRefused = ({ status, body }: { status: number; body: AnyJson }, expected: number, code?: string) =>
  assert.deepEqual([status, body.code], [expected, code ?? body.code], JSON.stringify(body));

async function setUp(file = {}) {
  const workspace = await majlis.workspace(file);
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  return { workspace, admin };
}

describe('how long conversations are kept', () => {
  it('is for administrators who have just proven who they are, and stands in the activity log', async () => {
    const { workspace, admin } = await setUp();
    for (const role of ['agent', 'supervisor']) {
      const member = await joinWorkspace(majlis, workspace, { role });
      for (const [method, path, body] of [
        ['GET', '/retention', undefined],
        ['GET', '/retention/preview?days=30', undefined],
        ['PUT', '/retention', { version: 'x', conversation_days: 30 }],
      ] as const) {
        assertRefused(await member.at(method, path, body), 403, 'role_insufficient');
      }
    }
    await majlis.advance(601);
    assertRefused(await setRetention(admin, 90), 403, 'confirmation_required');
    assert.equal((await admin.post('/confirm', { password })).status, 204);
    const set = await setRetention(admin, 90);
    assert.deepEqual([set.status, set.body.conversation_days], [200, 90]);
    const off = await setRetention(admin, null);
    assert.deepEqual([off.status, off.body.conversation_days], [200, null]);
    const acts = (await admin.at('GET', '/audit?action=changeRetention')).body.data;
    assert.deepEqual(
      acts.map(({ details, actor }: AnyJson) => [details, actor.user_id]),
      [
        [{ conversation_days: null, before: 90 }, admin.user_id],
        [{ conversation_days: 90, before: null }, admin.user_id],
      ],
    );
  });

  it('is 30 to 3,650 days', async () => {
    const { admin } = await setUp();
    for (const days of [30, 3_650]) assert.equal((await setRetention(admin, days)).status, 200);
    for (const days of [29, 3_651, 30.5, 0, -30, '30', true] as number[]) {
      const refused = await setRetention(admin, days);
      assertRefused(refused, 422);
      assert.equal(refused.body.errors[0].pointer, '/conversation_days');
    }
    const { version } = (await admin.at('GET', '/retention')).body;
    assertRefused(await admin.at('PUT', '/retention', { version }), 422);
    for (const query of ['', '?days=', '?days=29', '?days=3651', '?days=30.5', '?days=x']) {
      assertRefused(await admin.at('GET', `/retention/preview${query}`), 422);
    }
    assert.equal((await admin.at('GET', '/retention')).body.conversation_days, 3_650);
  });

  it('is not overwritten by an administrator who has not seen what another one did', async () => {
    const { workspace, admin } = await setUp();
    const other = await joinWorkspace(majlis, workspace, { role: 'admin' });
    const { version } = (await other.at('GET', '/retention')).body;
    await setRetention(admin, 365);
    assertRefused(await other.at('PUT', '/retention', { version, conversation_days: 30 }), 409, 'changed_meanwhile');
    assert.equal((await admin.at('GET', '/retention')).body.conversation_days, 365);
  });

  it('stops deleting as soon as it is switched off', async () => {
    const [off, on] = [await setUp(), await setUp()];
    const meet = async ({ workspace }: typeof off) => {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      await closeConversation(workspace, conversation_id);
      return conversation_id;
    };
    const [stays, goes] = [await meet(off), await meet(on)];
    for (const { admin } of [off, on]) assert.equal((await setRetention(admin, 30)).status, 200);
    assert.equal((await setRetention(off.admin, null)).status, 200);
    for (const id of [stays, goes]) await ageConversation(majlis, id, 31);
    // An hour later both would be looked at, and what an earlier moment began goes on.
    await majlis.sql(
      `insert into jobs (kind, group_id, payload, run_at)
       select 'retention.delete_conversations', workspace_id, '', '1970-01-01' from conversations where id = $1`,
      [parseId('conversation', stays)],
    );
    await majlis.advance(3_601);
    await eventually(
      async () => (await on.workspace.api.get(`/conversations/${goes}`)).status,
      (status) => status === 404,
    );
    await eventually(
      () => majlis.sql(`select from jobs where kind = 'retention.delete_conversations'`),
      (jobs) => jobs.length === 0,
    );
    assert.equal((await off.workspace.api.get(`/conversations/${stays}`)).status, 200);
  });

  it('is looked at before each conversation', async () => {
    const { workspace, admin } = await setUp();
    const ids: string[] = [];
    for (const days of [40, 39]) {
      const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
      await closeConversation(workspace, conversation_id);
      await ageConversation(majlis, conversation_id, days);
      ids.push(conversation_id);
    }
    const statusOf = async (id: string) => (await workspace.api.get(`/conversations/${id}`)).status;
    // While the first one goes, it is switched off.
    const switched = 'update retention_settings set conversation_days = null; return old;';
    await withTrigger(majlis, { on: 'before delete on messages', body: switched }, async () => {
      await setRetention(admin, 30);
      await eventually(
        () => majlis.sql(`select from jobs where kind = 'retention.delete_conversations'`),
        (jobs) => jobs.length === 0,
      );
    });
    assert.deepEqual([await statusOf(ids[0]!), await statusOf(ids[1]!)], [404, 200]);
  });

  it('is in the file of a workspace, which changes nothing that a person has decided', async () => {
    const { workspace, admin } = await setUp({ retention: { conversation_days: 400 } });
    assert.equal((await admin.at('GET', '/retention')).body.conversation_days, 400);
    await setRetention(admin, null);
    const { name } = workspace.applied.workspace;
    const file = { workspace: { name }, retention: { conversation_days: 400 } };
    const { body } = await majlis.operator('PUT', '/workspaces', file);
    assert.deepEqual(body.kept, [
      { retention: 'conversations', member: 'conversation_days', value: null, in_file: '400' },
    ]);
    assert.equal((await admin.at('GET', '/retention')).body.conversation_days, null);
    const wrong = await majlis.operator('PUT', '/workspaces', { ...file, retention: { conversation_days: 29 } });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/retention/conversation_days']);
  });
});
