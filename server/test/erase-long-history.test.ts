import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { addLongHistory, lockOldestMessage } from '@majlis/testing/long-history';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import { receiveMessage } from '@majlis/testing/receive-message';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService, type TestWorkspace, templateMessage } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

/** A customer with more messages and events than an erasure deletes in one transaction. */
async function meetRegular(workspace: TestWorkspace) {
  const digits = newDigits();
  const canary = `canary${randomUUID()}`;
  const met = await receiveMessage(majlis, workspace, digits);
  const id = parseId('conversation', met.conversation_id)!;
  await addLongHistory(majlis, id, canary);
  return { ...met, digits, canary, id };
}

it('erases a long history in many transactions, of which nobody sees one', async () => {
  const workspace = await majlis.workspace();
  const { api } = workspace;
  const { contact_id, conversation_id, message_id, digits, canary, id } = await meetRegular(workspace);
  const { erasing, sent } = await whileHeld(majlis, lockOldestMessage(id), async () => {
    const erasing = api.request('DELETE', `/contacts/${contact_id}`);
    await eventually(
      () => api.get(`/contacts/${contact_id}`),
      ({ status }) => status === 404,
    );
    assert.ok((await searchDatabase(majlis, [canary])).length > 0, 'the rest is still there');
    for (const url of [
      `/conversations/${conversation_id}`,
      `/conversations/${conversation_id}/messages`,
      `/messages/${message_id}`,
    ]) {
      assertRefused(await api.get(url), 404, url);
    }
    assertRefused(await api.post(`/conversations/${conversation_id}/messages`, templateMessage), 404);
    assertRefused(await api.post(`/conversations/${conversation_id}/close`, {}), 404);
    const today = new Date().toISOString().slice(0, 10);
    for (const status of ['open', 'closed']) {
      assert.deepEqual((await api.get(`/conversations?status=${status}`)).body.data, []);
    }
    assert.deepEqual((await api.get('/conversations')).body.data, []);
    const overview = (await api.get('/analytics/overview')).body;
    assert.deepEqual([overview.open, overview.closed], [0, 0]);
    const figures = (await api.get(`/analytics/messages?from=${today}&to=${today}`)).body;
    assert.equal(figures.sent, 0);

    // The customer is someone new at once, and the erasure does not take them.
    const sent = await api.post('/messages', { to: `+${digits}`, ...templateMessage });
    assert.equal(sent.status, 201, sent.text);
    return { erasing, sent };
  });
  assert.equal((await erasing).status, 204);
  const ids = [parseId('contact', contact_id)!, id, conversation_id, message_id];
  assert.deepEqual(await searchDatabase(majlis, [canary, ...ids]), []);
  // Receivers and the receipt are told by its id which contact is gone.
  const told = await searchDatabase(majlis, [contact_id]);
  assert.deepEqual(told.map(({ table, row }) => [table, /contact(?:\.erased|_erasure)/.test(row)]).sort(), [
    ['erasure_receipts', true],
    ['events', true],
  ]);
  assert.equal((await api.get(`/messages/${sent.body.id}`)).status, 200);
  assert.equal((await api.get('/conversations')).body.data.length, 1);
});

it('erases what a send stores that found the conversation before the erasure', async () => {
  const workspace = await majlis.workspace();
  const { api } = workspace;
  const { contact_id, canary, id } = await meetRegular(workspace);
  const { erasing, sending } = await whileHeld(
    majlis,
    `select from conversations where id = '${id}' for update`,
    async () => {
      const erasing = api.request('DELETE', `/contacts/${contact_id}`);
      await untilWaiting(majlis, 1, 'from conversations where workspace_id = $1 and contact_id');
      const body = { contact_id, kind: 'text', body: canary };
      const sending = api.post('/messages', body, { 'idempotency-key': randomUUID() });
      await untilWaiting(majlis, 1, 'update conversations c set');
      return { erasing, sending };
    },
  );
  assert.equal((await erasing).status, 204);
  await sending;
  await untilDispatched(majlis);
  assert.deepEqual(await searchDatabase(majlis, [canary]), []);
});
