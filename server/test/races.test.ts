import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { eventually } from '@majlis/testing/eventually';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import {
  notificationBody,
  platformStatus,
  platformText,
  postNotification,
  postSigned,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { acceptSend, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { startTestService } from '@majlis/testing/start-test-service';

const platform = await startScriptedPlatform();
const env = { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off', DATABASE_POOL_SIZE: '4', ROLES: 'api' };
// Looks on and works at nothing: it tells of the others when they have stopped.
const majlis = await startTestService({ env });
const services = [await majlis.another({ ROLES: 'api,worker' }), await majlis.another({ ROLES: 'api,worker' })];
const workspace = await majlis.workspace();
const apis = services.map(({ url }) => createApi(url, workspace.key));

const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };

/** Of each customer: how many identities, contacts and conversations there are. */
async function assertSingle(people: readonly string[]): Promise<void> {
  const rows = await majlis.sql(
    `select wa.digits, count(distinct i.contact_id)::int as contacts, count(distinct i.identifier)::int as identities,
       count(distinct c.id)::int as conversations
     from unnest($1::text[]) as wa (digits)
     left join contact_identities i on i.identifier = '+' || wa.digits left join conversations c using (workspace_id, contact_id)
     group by 1`,
    [people],
  );
  assert.equal(rows.length, people.length);
  for (const row of rows)
    assert.deepEqual({ ...row, digits: '' }, { digits: '', contacts: 1, identities: 1, conversations: 1 });
  const orphans = await majlis.sql(
    `select id from contacts c where not exists (select from contact_identities i where i.contact_id = c.id)`,
  );
  assert.deepEqual(orphans, []);
}

describe('someone new who is written to and writes at the same moment', () => {
  it('is one contact with one conversation, over all processes', async () => {
    const people = Array.from({ length: 100 }, newDigits);
    const inbound = people.map((from) =>
      notificationBody(workspace, { messages: [platformText(from, 'first'), platformText(from, 'second')] }),
    );
    const replies = await Promise.all(
      people.flatMap((digits, n) => [
        postSigned(services[n % 2]!, inbound[n]!, workspace.app_secret),
        apis[0]!.post('/messages', { to: `+${digits}`, ...template }),
        apis[1]!.post('/messages', { to: digits.slice(3), ...template }),
        postSigned(services[(n + 1) % 2]!, inbound[n]!, workspace.app_secret),
      ]),
    );
    for (const { status } of replies) assert.ok(status === 200 || status === 201, String(status));
    await untilNotificationsProcessed(majlis);
    await assertSingle(people);
    const [counts] = await majlis.sql(
      `select count(*) filter (where direction = 'inbound')::int as inbound, count(*) filter (where direction = 'outbound')::int as outbound
       from messages where workspace_id = (select workspace_id from contact_identities where identifier = $1)`,
      [`+${people[0]}`],
    );
    assert.deepEqual(counts, { inbound: 200, outbound: 200 });
  });
});

for (const known of [false, true]) {
  const who = known ? 'known' : 'new';
  it(`the same messages of ${who} people in other orders, in many notifications at once, are stored once each`, async () => {
    const people = Array.from({ length: 20 }, newDigits);
    const greetings = people.map((from) => platformText(from, 'hello'));
    if (known) await postNotification(services[0]!, workspace, { messages: greetings });
    await untilNotificationsProcessed(majlis);
    const messages = people.map((from) => platformText(from, 'and again'));
    const orders = Array.from({ length: 16 }, (_, n) =>
      messages.map((_, place) => messages[(place * (2 * n + 1) + n) % messages.length]!),
    );
    await Promise.all(orders.map((order, n) => postNotification(services[n % 2]!, workspace, { messages: order })));
    await untilNotificationsProcessed(majlis);
    await assertSingle(people);
  });
}

it('answers of the platform, their statuses and replies to them do not stand in each other’s way', async () => {
  const people = Array.from({ length: 150 }, newDigits);
  // The customer’s reply and every status come at the very moment of the answer, through the other process.
  platform.script((call) => {
    const wamid = acceptSend(call);
    const from = call.body.to!.slice(1);
    const statuses = ['sent', 'delivered', 'read'].map((status) =>
      platformStatus(wamid, status, { biz_opaque_callback_data: call.callback_data }),
    );
    void postNotification(services[1]!, workspace, {
      statuses: statuses.slice(0, 1),
      messages: [platformText(from, 'thanks')],
    });
    void postNotification(services[0]!, workspace, { statuses: statuses.slice(1).toReversed() });
  });
  await Promise.all(people.map((digits, n) => apis[n % 2]!.post('/messages', { to: `+${digits}`, ...template })));
  await untilDispatched(majlis);
  await eventually(
    () =>
      majlis.sql(`select from messages where recipient = any($1) and status <> 'read'`, [
        people.map((digits) => `+${digits}`),
      ]),
    (rows) => rows.length === 0,
  );
  await untilNotificationsProcessed(majlis);
  await assertSingle(people);
});

it('none of this came to a deadlock, not even to one that was resolved by trying again', async () => {
  // A session reports its part in deadlocks when it ends.
  await Promise.all(services.map((service) => service.stop()));
  const [row] = await majlis.sql('select deadlocks from pg_stat_database where datname = current_database()');
  assert.deepEqual(row, { deadlocks: 0 });
});
