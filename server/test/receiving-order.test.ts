import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { startTestService } from '@majlis/testing/start-test-service';
import { publicId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();

/** What one customer wrote, in the order of the list and in the order of the events. */
async function heardFrom(digits: string) {
  const listed = await majlis.sql<{ id: string; body: string }>(
    `select m.id, m.body from messages m join conversations c on c.id = m.conversation_id
     join contact_identities i on i.contact_id = c.contact_id where i.wa_id = $1 order by m.id`,
    [digits],
  );
  const told = await majlis.sql<{ body: string }>(
    `select e.message ->> 'body' as body
     from (select id, payload::json -> 'data' -> 'message' as message from events where type = 'message.received') as e
     where e.message ->> 'id' = any ($1) order by e.id`,
    [listed.map(({ id }) => publicId('message', id))],
  );
  return { listed: listed.map(({ body }) => body), told: told.map(({ body }) => body) };
}

describe('what a customer wrote is stored and told in the order in which the platform told it', () => {
  it('also behind a notification with messages of somebody whose earlier ones are waiting', async () => {
    const [busy, quiet] = [newDigits(), newDigits()];
    for (let n = 0; n < 6; n++) await postNotification(majlis, workspace, { messages: [platformText(busy, `${n}`)] });
    await postNotification(majlis, workspace, { messages: [platformText(busy, '6'), platformText(quiet, 'one')] });
    await postNotification(majlis, workspace, { messages: [platformText(quiet, 'two')] });
    await untilNotificationsProcessed(majlis);
    assert.deepEqual(await heardFrom(quiet), { listed: ['one', 'two'], told: ['one', 'two'] });
    assert.deepEqual((await heardFrom(busy)).listed, ['0', '1', '2', '3', '4', '5', '6']);
  });
});
