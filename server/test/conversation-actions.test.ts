import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { newDigits } from '@majlis/testing/messages';
import { receiveText, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { conversationPath, nobody, startConversations, textMessage } from '@majlis/testing/start-conversations';
import { templateMessage } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const { majlis, workspace, foreign, ids, begin, read, act, done } = await startConversations();

/** A deadlock is run again and harms nobody; that there was none is the database's to say, a moment later. */
async function assertNoDeadlock(): Promise<void> {
  await majlis.sql('select pg_stat_force_next_flush()');
  const [row] = await majlis.sql('select deadlocks from pg_stat_database where datname = current_database()');
  assert.equal(Number(row!.deadlocks), 0);
}

describe('every action', () => {
  const actions: [string, string, object | undefined][] = [
    ['POST', 'assign', { assignee_id: null }],
    ['POST', 'close', {}],
    ['POST', 'reopen', undefined],
    ['PUT', 'stage', { stage_id: null }],
    ['POST', 'handover', { to: 'bot' }],
    ['POST', 'snooze', { until: '2100-01-01T00:00:00Z' }],
    ['POST', 'notes', { body: 'Hello' }],
  ];
  for (const [method, action, body] of actions) {
    it(`${action} answers 404 for a conversation of another workspace, and does nothing to it`, async () => {
      const theirs = await begin(foreign);
      const { body: before } = await foreign.api.get(conversationPath(theirs));
      for (const id of [theirs, `cv_${nobody}`, 'cv_', theirs.slice(3)]) {
        assertRefused(await workspace.api.request(method, conversationPath(id, action), body), 404);
      }
      assert.deepEqual((await foreign.api.get(conversationPath(theirs))).body, before);
      assert.equal((await foreign.api.get(conversationPath(theirs, 'messages'))).body.data.length, 1);
    });

    it(`${action} leaves the conversation as it is when it is repeated`, async () => {
      const id = await begin();
      const first = await workspace.api.request(method, conversationPath(id, action), body);
      assert.ok(first.status < 300, first.text);
      const after = await read(id);
      assert.equal((await workspace.api.request(method, conversationPath(id, action), body)).status, first.status);
      assert.deepEqual(await read(id), after);
    });
  }

  it('takes its turn with the others on the same conversation, with sends and with what the customer writes', async () => {
    const digits = Array.from({ length: 3 }, () => newDigits());
    const open = await Promise.all(digits.map((number) => receiveText(majlis, workspace, number)));
    for (let round = 0; round < 12; round++) {
      const replies = await Promise.all(
        open.flatMap((id, index) => [
          act(id, 'assign', { assignee_id: ids.users[round % 2]!, team_id: ids.teams[round % 2]! }),
          act(id, 'close', { send_csat: true, category_id: ids.closing_categories[0] }),
          act(id, 'reopen'),
          act(id, 'notes', { body: '@Omar look' }),
          act(id, 'snooze', { until: '2100-01-01T00:00:00Z' }),
          workspace.api.request('PUT', conversationPath(id, 'stage'), { stage_id: ids.stages[round % 2] }),
          workspace.api.post(conversationPath(id, 'messages'), textMessage),
          workspace.api.post('/messages', { to: `+${digits[index]}`, ...textMessage }),
          receiveText(majlis, workspace, digits[index]!),
        ]),
      );
      for (const reply of replies) {
        if (typeof reply === 'string') continue;
        assert.ok(reply.status < 300 || reply.body.code === 'conversation_closed', reply.text);
      }
    }
    await untilNotificationsProcessed(majlis);
    await assertNoDeadlock();
  });
});

describe('after these actions the sends are refused', () => {
  async function assertCodes(id: string, body: object, inConversation: string | 201, byNumber: string | 201) {
    const { contact_id } = await read(id);
    const codeOf = ({ status, body }: { status: number; body: { code: string } }) => (status === 201 ? 201 : body.code);
    assert.equal(codeOf(await workspace.api.post(conversationPath(id, 'messages'), body)), inConversation);
    assert.equal(codeOf(await workspace.api.post('/messages', { contact_id, ...body })), byNumber);
  }

  it('closed: conversation_closed in the conversation, until it is reopened; by number it reopens', async () => {
    const id = await receiveText(majlis, workspace, newDigits());
    await done(id, 'close', {});
    await assertCodes(id, textMessage, 'conversation_closed', 201);
    await assertCodes(id, textMessage, 201, 201);
    await done(id, 'close', {});
    await done(id, 'reopen');
    await assertCodes(id, templateMessage, 201, 201);
  });

  it('handed to a bot: bot_in_control on both, until a human has it', async () => {
    const id = await receiveText(majlis, workspace, newDigits());
    await done(id, 'handover', { to: 'bot' });
    for (const body of [textMessage, templateMessage]) await assertCodes(id, body, 'bot_in_control', 'bot_in_control');
    await done(id, 'handover', { to: 'human' });
    await assertCodes(id, textMessage, 201, 201);
  });

  it('blocked before closed, closed before bot, bot before window', async () => {
    const id = await begin();
    const block = (blocked: boolean, contact_id: string) =>
      majlis.sql('update contacts set blocked = $2 where id = $1', [parseId('contact', contact_id), blocked]);
    const { contact_id } = await read(id);
    await done(id, 'close', {});
    await done(id, 'handover', { to: 'bot' });
    await block(true, contact_id);
    await assertCodes(id, textMessage, 'contact_blocked', 'contact_blocked');
    await block(false, contact_id);
    await assertCodes(id, textMessage, 'conversation_closed', 'bot_in_control');
    await done(id, 'reopen');
    await assertCodes(id, textMessage, 'bot_in_control', 'bot_in_control');
    await done(id, 'handover', { to: 'human' });
    await assertCodes(id, textMessage, 'window_closed', 'window_closed');
    await done(id, 'snooze', { until: '2100-01-01T00:00:00Z' });
    await assertCodes(id, templateMessage, 201, 201);
  });
});
