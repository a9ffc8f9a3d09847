import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { cleanUp } from '@majlis/testing/cleanup';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { type Committed, watchTransactions } from '@majlis/testing/watch-transactions';

const majlis = await startTestService({ env: { ROLES: 'api' } });
const workspace = await majlis.workspace();
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };

async function send(to: string, headers = {}): Promise<void> {
  const { status } = await workspace.api.post('/messages', { to: `+${to}`, ...template }, headers);
  assert.equal(status, 201);
}

/** Each statement and each round trip more costs every send; when more are needed, these numbers say so. */
function assertCosts(committed: Committed[], most: Omit<Committed, 'texts'>): void {
  const writing = committed.filter(({ texts }) => texts.some((text) => text.includes('insert into messages')));
  assert.equal(writing.length, 1);
  const { statements, round_trips, texts } = writing[0]!;
  assert.ok(statements <= most.statements, `${statements} statements: ${texts.join('\n')}`);
  assert.ok(round_trips <= most.round_trips, `${round_trips} round trips: ${texts.join('\n')}`);
}

it('a message of a new customer takes no more round trips than the next one', async () => {
  const worker = await majlis.another({ ROLES: 'worker' });
  cleanUp('the worker', () => worker.stop());
  const commits = watchTransactions();
  const digits = newDigits();
  const receive = async (body: string) => {
    await postNotification(majlis, workspace, { messages: [platformText(digits, body)] });
    await untilNotificationsProcessed(majlis);
  };
  await receive('first');
  assertCosts(commits(), { statements: 17, round_trips: 7 });
  await receive('second');
  assertCosts(commits(), { statements: 14, round_trips: 8 });
});

it('a send takes two round trips: one looks, one writes and commits', async () => {
  const commits = watchTransactions();
  const digits = newDigits();
  await send(digits);
  // begin, find targets, contacts, their events, conversations, messages, jobs, commit
  assertCosts(commits(), { statements: 8, round_trips: 2 });
  await send(digits);
  // begin, find targets, touch the conversation, messages, jobs, commit
  assertCosts(commits(), { statements: 6, round_trips: 2 });
});

it('one with an idempotency key takes a round trip more', async () => {
  const commits = watchTransactions();
  await send(newDigits(), { 'idempotency-key': randomUUID() });
  // Beside those of a send: lock the key, recall its answer, remember the new one.
  assertCosts(commits(), { statements: 11, round_trips: 3 });
});
