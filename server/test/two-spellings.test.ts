import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { createApi } from '@majlis/testing/api';
import { createBroadcastClient } from '@majlis/testing/broadcasts';
import { newDigits } from '@majlis/testing/messages';
import {
  notificationBody,
  postSigned as notify,
  platformText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';

// Argentina, Mexico and Brazil write a number in two ways: to the platform it is one person (its protocol, section 12).
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const other = await majlis.another();
const workspace = await majlis.workspace();
const { create, untilCounts, outcomes, sentTo, contact } = createBroadcastClient(majlis);

const values = ['Muna', 'A-1'];
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: values } };

/** The digits of a number that nobody has yet, in both spellings. */
function newNumber(): [string, string] {
  const line = `11${randomInt(20_000_000, 70_000_000)}`;
  return [`549${line}`, `54${line}`];
}

async function assertOne({ id }: TestWorkspace, digits: readonly string[]): Promise<void> {
  const [row] = await majlis.sql(
    `select count(distinct i.contact_id)::int as contacts, count(distinct c.id)::int as conversations
     from contact_identities i left join conversations c using (workspace_id, contact_id)
     where i.workspace_id = $1 and i.identifier = any ($2)`,
    [parseId('workspace', id), digits.map((one) => `+${one}`)],
  );
  assert.deepEqual(row, { contacts: 1, conversations: 1 }, digits.join());
}

describe('two spellings of a number that nobody knows yet', () => {
  it('are one contact with one conversation, though they are written to at the same moment', async () => {
    const numbers = Array.from({ length: 30 }, newNumber);
    const apis = [majlis, other].map(({ url }) => createApi(url, workspace.key));
    const replies = await Promise.all(
      numbers.flatMap((spellings) =>
        apis.flatMap((api) => spellings.map((digits) => api.post('/messages', { to: `+${digits}`, ...template }))),
      ),
    );
    for (const { status, text } of replies) assert.equal(status, 201, text);
    for (const spellings of numbers) await assertOne(workspace, spellings);
  });

  it('are one contact to whom nobody writes once it is blocked, though the other spelling blocked it just now', async () => {
    const [long, short] = newNumber();
    const id = parseId('workspace', workspace.id);
    const blocking = `
      select pg_advisory_xact_lock(hashtextextended('contacts.spelling ${id} chatapp +${short}', 0));
      with c as (
        insert into contacts (workspace_id, id, blocked, created_at) values ('${id}', gen_random_uuid(), true, now())
        returning workspace_id, id
      )
      insert into contact_identities (workspace_id, channel_type, identifier, contact_id, created_at)
      select workspace_id, 'chatapp', '+${long}', id, now() from c`;
    const { status, body } = await whileHeld(majlis, blocking, async (held) => {
      const sending = workspace.api.post('/messages', { to: `+${short}`, ...template });
      await untilWaiting(majlis, 1, 'pg_advisory_xact_lock(hashtextextended(name, 0))');
      await held.commit();
      return sending;
    });
    assert.deepEqual([status, body.code], [409, 'contact_blocked']);
  });

  it('are one contact, though one is imported or writes while the other is written to', async () => {
    const numbers = Array.from({ length: 20 }, newNumber);
    await Promise.all(
      numbers.flatMap(([long, short]) => [
        workspace.api.post('/messages', { to: `+${short}`, ...template }),
        notify(other, notificationBody(workspace, { messages: [platformText(long, 'hello')] }), workspace.app_secret),
        workspace.api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier: `+${long}` }] }),
        workspace.api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier: `+${short}` }] }),
      ]),
    );
    await untilNotificationsProcessed(majlis);
    for (const spellings of numbers) await assertOne(workspace, spellings);
  });
});

describe('a broadcast', () => {
  it('to both spellings of a number is sent once, with the params that it is first named with', async () => {
    const workspace = await majlis.workspace();
    const [long, short] = newNumber();
    const recipients = [
      { to: `+${short}`, params: ['Muna', '1'] },
      { to: `+${long}`, params: ['Somebody else', '2'] },
    ];
    const created = await create(workspace, { recipients });
    assert.equal(created.counts.total, 1);
    await untilCounts(workspace, created.id, { total: 1, read: 1 });
    assert.deepEqual(sentTo(workspace), [short]);
    await assertOne(workspace, [long, short]);
  });

  it('to two numbers of one contact is sent to the first, and says so of the other', async () => {
    const workspace = await majlis.workspace();
    const [one, two, stranger] = [newDigits(), newDigits(), newDigits()];
    const identities = [one, two].map((digits) => ({ channel_type: 'chatapp', identifier: `+${digits}` }));
    assert.equal((await workspace.api.post('/contacts', { identities })).status, 201);
    const recipients = [two, stranger, one].map((to) => ({ to, params: values }));
    const { id } = await create(workspace, { recipients });
    await untilCounts(workspace, id, { total: 3, read: 2, failed: 1 });
    assert.deepEqual(sentTo(workspace).sort(), [two, stranger].sort());
    const refused = (await outcomes(workspace, id)).filter(({ status }) => status === 'refused');
    assert.deepEqual(
      refused.map(({ to, error }) => [to, error]),
      [[`+${one}`, 'unprocessable_content: The contact is another recipient of this broadcast.']],
    );
  });

  it('to two contacts that are merged between its batches is sent once', async () => {
    const workspace = await majlis.workspace();
    const [one, two] = [newDigits(), newDigits()];
    const [survivor, source] = [await contact(workspace, one), await contact(workspace, two)];
    await createBroadcastClient(majlis).setTier(workspace, 1);
    const { id } = await create(workspace, { recipients: [one, two].map((to) => ({ to, params: values })) });
    await untilCounts(workspace, id, { read: 1, queued: 1 });
    const merged = await workspace.api.post(`/contacts/${survivor}/merge`, { source_contact_id: source });
    assert.equal(merged.status, 200, merged.text);
    await createBroadcastClient(majlis).setTier(workspace, 10);
    await majlis.advance(60);
    await untilCounts(workspace, id, { read: 1, failed: 1 });
    assert.deepEqual(sentTo(workspace), [one]);
  });
});
