import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { HeldTransaction } from '@majlis/testing/hold-transaction';
import { newDigits, sendText, untilDispatched } from '@majlis/testing/messages';
import {
  notificationBody,
  platformText,
  postNotification,
  postSigned,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService, type TestService } from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId } from '../src/database/ids.ts';
import { fingerprint } from '../src/http/idempotency/fingerprint.ts';

// What is told of customers waits until a worker is started, so that a test says what stands in one batch.
const platform = await startScriptedPlatform();
const env = { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off' };
const majlis = await startTestService({ env: { ...env, ROLES: 'api' } });
const workspace = await majlis.workspace();
const { api } = workspace;
const template = { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] };

/** Runs a worker while `work` lasts, then drains it. */
async function withWorker<Result>(work: (worker: TestService) => Promise<Result>): Promise<Result> {
  const worker = await majlis.another({ ROLES: 'worker' });
  const result = await work(worker);
  await worker.stop();
  return result;
}

/** Lets a customer write, and answers their conversation. */
const hear = (digits: string) => withWorker(() => receiveText(majlis, workspace, digits));

/** The platform's word that a customer has another number. */
const moveOf = (from: string, to: string): Record<string, unknown> => ({
  ...platformText(from, ''),
  ...{ text: undefined, type: 'system' },
  system: { body: `User A changed from ${from} to ${to}`, wa_id: to, type: 'user_changed_number' },
});
const move = (from: string, to: string) =>
  withWorker(async () => {
    await postNotification(majlis, workspace, { messages: [moveOf(from, to)] });
    await untilNotificationsProcessed(majlis);
  });

/** Dispatches what is accepted by now; answers whom it was addressed to. */
async function dispatch(): Promise<(string | undefined)[]> {
  const before = platform.calls.length;
  await withWorker(() => untilDispatched(majlis));
  return platform.calls.slice(before).map(({ body }) => body.to);
}

const conversationOf = async (id: string) => (await api.get(`/conversations/${id}`)).body;
async function identifiersOf(conversation_id: string): Promise<string[]> {
  const { contact_id } = await conversationOf(conversation_id);
  const { identities } = (await api.get(`/contacts/${contact_id}`)).body;
  return identities.map(({ identifier }: { identifier: string }) => identifier);
}
async function conversationOfMessage({ id }: { id?: unknown }): Promise<string | undefined> {
  const [row] = await majlis.sql<{ conversation_id: string }>(
    'select conversation_id from messages where platform_message_id = $1',
    [id],
  );
  return row?.conversation_id;
}

describe('a customer with a new number', () => {
  it('is answered there, also where the contact has an older number beside it', async () => {
    const [oldest, from, to] = [newDigits(), newDigits(), newDigits()];
    const identities = [oldest, from].map((digits) => ({ channel_type: 'chatapp', identifier: `+${digits}` }));
    assert.equal((await api.post('/contacts', { identities: identities.slice(0, 1) })).status, 201);
    assert.equal((await api.post('/contacts', { identities })).status, 200);
    const conversation_id = await hear(from);
    assert.equal((await conversationOf(conversation_id)).contact_handle, `+${from}`);

    await move(from, to);
    const { contact_handle, contact_id } = await conversationOf(conversation_id);
    assert.equal(contact_handle, `+${to}`);
    await sendText(workspace, conversation_id);
    assert.equal((await api.post('/messages', { contact_id, kind: 'text', body: 'Hello' })).status, 201);
    assert.deepEqual(await dispatch(), [`+${to}`, `+${to}`]);
  });

  it('is not answered at the old one because of a text that was being stored meanwhile', async () => {
    const [from, to] = [newDigits(), newDigits()];
    const conversation_id = await hear(from);
    const id = parseId('conversation', conversation_id);
    const moving = `
      with held as (select from contacts where id = (select contact_id from conversations where id = '${id}') for update),
      moved as (update contact_identities set identifier = '+${to}', wa_id = '${to}' where identifier = '+${from}')
      update conversations set identifier = '+${to}' where id = '${id}'`;
    const meanwhile = (held: HeldTransaction) =>
      withWorker(async () => {
        await postNotification(majlis, workspace, { messages: [platformText(from, 'Is it there?')] });
        // Another statement may wait for another one at this moment.
        await eventually(
          () =>
            majlis.sql(`select from pg_stat_activity waiting
              join pg_stat_activity holder on holder.pid = any (pg_blocking_pids(waiting.pid))
              where waiting.datname = current_database() and holder.query like '%moved as%'`),
          (rows) => rows.length > 0,
        );
        await held.commit();
        await untilNotificationsProcessed(majlis);
      });
    await whileHeld(majlis, moving, meanwhile);
    assert.equal((await api.get(`/conversations/${conversation_id}/messages`)).body.data.length, 2);
    assert.equal((await conversationOf(conversation_id)).contact_handle, `+${to}`);
  });

  it('gets there what was accepted and not yet sent', async () => {
    const [from, to] = [newDigits(), newDigits()];
    const conversation_id = await hear(from);
    await sendText(workspace, conversation_id);
    const paused = await majlis.sql<{ id: number }>(
      `update jobs set run_at = run_at + interval '1 day' where queue_key = $1 returning id`,
      [parseId('conversation', conversation_id)],
    );
    assert.equal(paused.length, 1);
    await move(from, to);
    await majlis.sql(`update jobs set run_at = run_at - interval '1 day' where id = $1`, [paused[0]!.id]);
    assert.deepEqual(await dispatch(), [`+${to}`]);
  });

  it('keeps on record that a message under way goes to the old one', async () => {
    const [from, to] = [newDigits(), newDigits()];
    const id = await sendText(workspace, await hear(from));
    const begun = `update jobs set run_at = run_at + interval '1 day', started_at = now() where payload like $1 returning id`;
    const message_id = parseId('message', id);
    assert.equal((await majlis.sql(begun, [`%${message_id}%`])).length, 1);
    await move(from, to);
    const [message] = await majlis.sql('select recipient from messages where id = $1', [message_id]);
    assert.equal(message!.recipient, `+${from}`);
    await majlis.sql(`delete from jobs where payload like $1`, [`%${message_id}%`]);
  });

  it('has the new one only after all that they wrote with the old one', async () => {
    const [from, to] = [newDigits(), newDigits()];
    const conversation_id = await hear(from);
    await postNotification(majlis, workspace, { messages: [platformText(from, 'late')] });
    const late = await majlis.sql<{ id: number }>(
      `update jobs set run_at = run_at + interval '1 day' where kind = 'inbound.process_webhook' returning id`,
    );
    assert.equal(late.length, 1);
    await postNotification(majlis, workspace, { messages: [moveOf(from, to)] });
    await postNotification(majlis, workspace, { messages: [platformText(to, 'new')] });
    await withWorker(async () => {
      await receiveText(majlis, workspace, newDigits());
      assert.equal((await conversationOf(conversation_id)).contact_handle, `+${from}`);
      await majlis.sql(`update jobs set run_at = run_at - interval '1 day' where id = $1`, [late[0]!.id]);
      await untilNotificationsProcessed(majlis);
    });
    const { data } = (await api.get(`/conversations/${conversation_id}/messages`)).body;
    assert.deepEqual(
      data.map(({ body }: { body: string }) => body),
      ['Hello', 'late', 'new'],
    );
    assert.equal((await conversationOf(conversation_id)).contact_handle, `+${to}`);
  });

  it('has it only after all that they wrote by a user id, where the report names that alone', async () => {
    const [to, user_id] = [newDigits(), `OM.${newDigits()}77`];
    const write = (body: string) => ({ ...platformText('', body), from: undefined, from_user_id: user_id });
    const system = { type: 'user_changed_number', wa_id: to, previous_user_id: user_id };
    await postNotification(majlis, workspace, { messages: [write('late')] });
    const late = await majlis.sql<{ id: number }>(
      `update jobs set run_at = run_at + interval '1 day' where kind = 'inbound.process_webhook' returning id`,
    );
    assert.equal(late.length, 1);
    await postNotification(majlis, workspace, { messages: [{ ...moveOf('', to), from: undefined, system }] });
    await postNotification(majlis, workspace, { messages: [platformText(to, 'new')] });
    await withWorker(async () => {
      await receiveText(majlis, workspace, newDigits());
      await majlis.sql(`update jobs set run_at = run_at - interval '1 day' where id = $1`, [late[0]!.id]);
      await untilNotificationsProcessed(majlis);
    });
    const all = (await api.get('/conversations?limit=100')).body.data;
    const own = all.find(({ contact_handle }: { contact_handle: string }) => contact_handle === `+${to}`);
    const { data } = (await api.get(`/conversations/${own.id}/messages`)).body;
    assert.deepEqual(
      data.map(({ body }: { body: string }) => body),
      ['late', 'new'],
    );
  });

  it('gets a broadcast there that was to go to the old one, and gets it once', async () => {
    const [from, to] = [newDigits(), newDigits()];
    await hear(from);
    const created = await Promise.all(
      [[from], [from, to], [to, from]].map((list) => {
        const audience = { recipients: list.map((digits) => ({ to: `+${digits}`, params: [digits, 'A-1'] })) };
        const { params: _, ...named } = template;
        return api.post('/broadcasts', { name: 'News', template: named, audience, send_at: '2100-01-01T00:00:00Z' });
      }),
    );
    await move(from, to);
    for (const [index, expected] of [from, to, to].entries()) {
      const { audience } = (await api.get(`/broadcasts/${created[index]!.body.id}`)).body;
      assert.deepEqual(audience.recipients, [{ to: `+${to}`, params: [expected, 'A-1'] }]);
    }
  });

  it('leaves nothing behind when they are erased, of the old number neither', async () => {
    const [from, to, other] = [newDigits(), newDigits(), newDigits()];
    const canary = `canary${randomBytes(9).toString('hex')}`;
    const conversation_id = await hear(from);
    const headers = { 'idempotency-key': randomUUID() };
    const audience = {
      recipients: [
        { to: `+${from}`, params: [canary, 'A-1'] },
        { to: `+${other}`, params: ['Salim', 'A-2'] },
      ],
    };
    const { params: _, ...named } = template;
    const broadcast = { name: 'News', template: named, audience, send_at: '2100-01-01T00:00:00Z' };
    assert.equal((await api.post('/broadcasts', broadcast, headers)).status, 201);
    await move(from, to);
    const { contact_id } = await conversationOf(conversation_id);
    // The survivor of a merge is erased with what the other was called.
    const survivor = (await conversationOf(await hear(newDigits()))).contact_id;
    const merged = await api.post(`/contacts/${survivor}/merge`, { source_contact_id: contact_id });
    assert.equal(merged.status, 200, merged.text);

    assert.equal((await api.request('DELETE', `/contacts/${survivor}`)).status, 204);
    const traces = [from, to, canary, fingerprint(broadcast).toString('hex')];
    assert.deepEqual(await searchDatabase(majlis, traces), []);
    // The others are not written to again by whoever repeats the key.
    const again = await api.post('/broadcasts', broadcast, headers);
    assert.deepEqual([again.status, again.body.audience.recipients.length], [201, 1]);
  });
});

describe('a new number that is told of together with messages', () => {
  for (const [how, tell] of [
    ['one notification', async (messages: object[]) => postNotification(majlis, workspace, { messages })],
    [
      'notifications that waited',
      async (messages: object[]) => {
        for (const message of messages) {
          await postSigned(majlis, notificationBody(workspace, { messages: [message] }), workspace.app_secret);
        }
      },
    ],
  ] as const) {
    it(`is the same contact’s, who wrote from the old one before and from it after: ${how}`, async () => {
      const [from, to] = [newDigits(), newDigits()];
      const conversation_id = await hear(from);
      const messages = [platformText(from, 'before'), moveOf(from, to), platformText(to, 'after')];
      await tell(messages);
      await withWorker(() => untilNotificationsProcessed(majlis));
      assert.deepEqual(await identifiersOf(conversation_id), [`+${to}`]);
      for (const written of [messages[0]!, messages[2]!]) {
        assert.equal(await conversationOfMessage(written), parseId('conversation', conversation_id));
      }
    });
  }

  it('is the contact’s too where nobody had heard of them before, and where they move twice', async () => {
    const [from, between, to] = [newDigits(), newDigits(), newDigits()];
    const messages = [
      platformText(from, 'first'),
      moveOf(from, between),
      moveOf(between, to),
      platformText(to, 'last'),
    ];
    await postNotification(majlis, workspace, { messages });
    await withWorker(() => untilNotificationsProcessed(majlis));
    const [first, last] = await Promise.all([messages[0]!, messages[3]!].map(conversationOfMessage));
    assert.ok(first);
    assert.equal(last, first);
  });

  it('that another contact has stays with that contact', async () => {
    const [from, to] = [newDigits(), newDigits()];
    const [moving, standing] = [await hear(from), await hear(to)];
    const after = platformText(to, 'after');
    await postNotification(majlis, workspace, { messages: [moveOf(from, to), after] });
    await withWorker(() => untilNotificationsProcessed(majlis));
    assert.deepEqual(await identifiersOf(moving), [`+${from}`]);
    assert.deepEqual(await identifiersOf(standing), [`+${to}`]);
    await eventually(
      () => conversationOfMessage(after),
      (found) => found === parseId('conversation', standing),
    );
  });
});
