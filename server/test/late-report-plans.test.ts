import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { fillAdvertised } from '@majlis/testing/fill-advertised';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { openTestDatabase } from '@majlis/testing/open-test-database';
import { rowsOf } from '@majlis/testing/plans';
import { recordPlans } from '@majlis/testing/record-plans';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

// What comes late concerns the last messages of a conversation, so a long past is not read.
const { database, admin } = await openTestDatabase();
const take = await recordPlans(admin, database);
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' }, database });
const workspace = await majlis.workspace();
const digits = newDigits();
const nowS = Math.floor(Date.now() / 1000);

const said = (text: string, seconds: number, more: object = {}) =>
  platformText(digits, text, { id: `wamid.${randomUUID()}`, timestamp: String(nowS - seconds), ...more });

async function post(value: Record<string, unknown>, field?: string): Promise<void> {
  await postNotification(majlis, workspace, value, field);
  await untilNotificationsProcessed(majlis);
}

/** The plans of the statements with this text since the last call, and the rows of messages that they read. */
function takeRows(text: string) {
  const plans = take().filter((plan) => plan.text.includes(text));
  return {
    statements: plans.length,
    rows: rowsOf(
      plans.flatMap(({ nodes }) => nodes),
      'messages',
    ),
  };
}

await admin.query(fillAdvertised(parseId('workspace', workspace.id)!, digits, { hours: 200, messages: 5_000 }));
const first = said('When do you open?', 60);
await post({ messages: [first] });

it('a reaction is compared with what came since it was written', async () => {
  take();
  const reaction = { type: 'reaction', text: undefined, reaction: { message_id: first.id, emoji: '👍' } };
  await post({ messages: [said('', 30, reaction)] });
  const { statements, rows } = takeRows('newer.id from json');
  assert.equal(statements, 1);
  assert.ok(rows < 10, `${rows} rows`);
});

it('quotes of messages that are reported again are followed from the oldest one on, and at once', async () => {
  const shared = Array.from({ length: 20 }, (_, n) => said(`Line ${n}`, 50 - n));
  const quote = said('As above', 20, { context: { id: shared[0]!.id } });
  await post(
    { history: [{ metadata: { phase: 0 }, threads: [{ id: digits, messages: [...shared, quote] }] }] },
    'history',
  );
  take();
  await post({ messages: shared });
  const { statements, rows } = takeRows('new_ids');
  assert.equal(statements, 1);
  assert.ok(rows < 200, `${rows} rows`);
  const [{ id }] = (await workspace.api.get('/conversations')).body.data;
  const { data } = (await workspace.api.get(`/conversations/${id}/messages?limit=100`)).body;
  const quoting = data.find(({ body }: { body?: string }) => body === 'As above');
  const quoted = data.find((message: { id: string }) => message.id === quoting.reply_to_id);
  assert.equal(quoted?.body, 'Line 0');
});
