import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';
import { publicId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
const none = '00000000-0000-7000-8000-000000000000';
const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
const { contact_id } = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
const reply = { kind: 'text', body: 'Hello', reply_to_id: publicId('message', none) };

/** Method, path, body, and the members at fault. */
const shared: [string, string, object, string[]][] = [
  ['POST', `/conversations/${conversation_id}/assign`, { team_id: publicId('team', none) }, ['/team_id']],
  [
    'POST',
    `/conversations/${conversation_id}/assign`,
    { assignee_id: publicId('user', none), team_id: 'nothing' },
    ['/assignee_id', '/team_id'],
  ],
  ['POST', `/conversations/${conversation_id}/messages`, reply, ['/reply_to_id']],
  ['PATCH', `/contacts/${contact_id}`, { stage_id: publicId('stage', none) }, ['/stage_id']],
];
const own: typeof shared = [
  ['POST', '/views', { name: 'Gone', filter: { team_id: publicId('team', none) } }, ['/filter/team_id']],
  [
    'POST',
    `/conversations/${conversation_id}/scheduled-messages`,
    { content: reply, send_at: new Date(Date.now() + 3_600_000).toISOString() },
    ['/content/reply_to_id'],
  ],
];

describe('a member that names nothing of the workspace', () => {
  for (const [method, path, body, pointers] of [...shared, ...own]) {
    it(`has a reason for the console: ${method} ${path.replace(/\w+_\w{26}/, '{id}')} with ${pointers}`, async () => {
      const { status, body: refusal } = await admin.at(method, path, body);
      assert.equal(status, 422, JSON.stringify(refusal));
      assert.deepEqual(
        refusal.errors.map(({ pointer, reason }: Record<string, string>) => `${pointer} ${reason}`),
        pointers.map((pointer) => `${pointer} unknown_reference`),
      );
    });
  }

  for (const [method, path, body, pointers] of shared) {
    it(`has its pointer and its words alone in /v1: ${method} ${path.replace(/\w+_\w{26}/, '{id}')} with ${pointers}`, async () => {
      const { status, body: refusal } = await workspace.api.request(method, path, body);
      assert.equal(status, 422, JSON.stringify(refusal));
      const members = refusal.errors.map((fault: object) => Object.keys(fault).join(' '));
      assert.deepEqual(
        members,
        pointers.map(() => 'detail pointer'),
      );
    });
  }
});

it('a member with another fault has no reason', async () => {
  const { status, body } = await admin.at('POST', `/conversations/${conversation_id}/assign`, { team_id: 7 });
  assert.equal(status, 422);
  assert.deepEqual(Object.keys(body.errors[0]), ['detail', 'pointer']);
});
