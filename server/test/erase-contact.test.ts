import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import type { OperationId, operations } from '@majlis/contract';
import { assertRefused } from '@majlis/testing/assert-refused';
import { within } from '@majlis/testing/cleanup';
import { eventually } from '@majlis/testing/eventually';
import { fillTables } from '@majlis/testing/fill-tables';
import { addPlatformFile, samples, uploadFile } from '@majlis/testing/media';
import { newDigits, untilDispatched, untilStatus } from '@majlis/testing/messages';
import {
  platformStatus,
  platformText,
  postNotification,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { acceptSend, startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { untilWaiting } from '@majlis/testing/until-waiting';
import { whileHeld } from '@majlis/testing/while-held';
import { parseId, publicId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const people = {
  users: [{ name: 'Omar Ali', email: 'omar@acme.example', role: 'agent' }],
  workflows: [
    {
      ...{ name: 'Reminder', status: 'published', trigger: 'api_call' },
      steps: [
        { do: 'send_message', text: '{{trigger.variables.canary}}' },
        { do: 'ask', text: 'Well?', within: '1h' },
      ],
    },
  ],
};
let workspace: TestWorkspace;
before(async () => {
  workspace = await majlis.workspace(people);
});

const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
const erase = (contact_id: string, { api } = workspace) => api.request('DELETE', `/contacts/${contact_id}`);
const contactOf = async (conversation_id: string, { api } = workspace): Promise<string> =>
  (await api.get(`/conversations/${conversation_id}`)).body.contact_id;

/** Each operation that takes an idempotency key: what it answers is stored. */
type Keyed = {
  [Id in OperationId]: (typeof operations)[Id]['idempotent'] extends true ? Id : never;
}[OperationId];

/** A text that stands nowhere else. */
const newCanary = () => `canary${randomBytes(9).toString('hex')}`;

/** Everything under DATA_DIR, names and bytes, that holds the text. */
async function searchFiles(text: string): Promise<string[]> {
  const entries = await readdir(majlis.data_dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = entries.filter(({ name }) => name.includes(text)).map(({ name }) => name);
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    // One that is removed at this moment holds nothing.
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes?.includes(text)) found.push(file);
  }
  return found;
}

/** A document from the customer, as the platform would have it; waits until its message is here. */
async function customerSends(from: string, filename: string, bytes: Buffer): Promise<void> {
  const id = await addPlatformFile(majlis, workspace, bytes, { type: 'application/pdf', filename });
  await messageReceiver(majlis, workspace)(from, 'document', { id, filename });
}

describe('DELETE /v1/contacts/{contact_id}', () => {
  it('erases everything that can name the contact: no table, file or line of the log has it any more', async () => {
    const digits = newDigits();
    const canary = newCanary();
    const { api } = workspace;
    const other = await receiveMessage(majlis, workspace, newDigits());
    const contact = {
      ...{ name: `${canary} Name`, email: `${canary}@example.com`, tags: [canary], consents: { note: canary } },
      identities: [{ channel_type: 'chatapp', identifier: `+${digits}`, display_name: `${canary} Display` }],
    };
    const created = await api.post('/contacts', contact, { 'idempotency-key': randomUUID() });
    assert.equal(created.status, 201, created.text);
    await customerSends(digits, `${canary}.pdf`, Buffer.concat([samples.pdf, Buffer.from(canary)]));
    const { contact_id, conversation_id } = await receiveMessage(majlis, workspace, digits);
    const send = (url: string, body: object) =>
      api.post(url, body, { 'idempotency-key': `${randomUUID()}` }).then(({ status, body }) => {
        assert.equal(status, 201);
        return body.id;
      });
    const params = [canary, 'A-1'];
    const bytes = Buffer.concat([samples.png, Buffer.from(canary)]);
    const media_id = (await uploadFile(majlis, workspace, bytes, { filename: `${canary}.png` })).body.id;
    const sent = [
      await send('/messages', { to: `+${digits}`, kind: 'text', body: `${canary} by number` }),
      await send(`/conversations/${conversation_id}/messages`, { kind: 'text', body: `${canary} in it` }),
      await send(`/conversations/${conversation_id}/messages`, { kind: 'image', media_id, body: canary }),
      await send('/messages', { contact_id, kind: 'template', template: { ...template.template, params } }),
    ];
    await send(`/conversations/${conversation_id}/notes`, { body: `@Omar ${canary} note` });
    await api.post(`/conversations/${conversation_id}/close`, { summary: `${canary} summary` });
    for (const id of sent) await untilStatus(majlis, id, 'read');
    await untilNotificationsProcessed(majlis);
    await eventually(
      () => majlis.sql(`select from messages where filename = $1 and media_id is not null`, [`${canary}.pdf`]),
      (rows) => rows.length === 1,
    );
    const tables = new Set((await searchDatabase(majlis, [canary])).map(({ table }) => table));
    for (const table of [
      'contacts',
      'contact_search',
      'tag_changes',
      'messages',
      'events',
      'idempotency_keys',
      'media',
    ]) {
      assert.ok(tables.has(table), table);
    }
    assert.equal((await searchFiles(canary)).length, 2);

    const reply = await erase(contact_id);
    assert.deepEqual([reply.status, reply.text], [204, '']);
    assert.deepEqual(await searchDatabase(majlis, [canary, digits, parseId('contact', contact_id)!]), []);
    await eventually(
      () => searchFiles(canary),
      (files) => files.length === 0,
    );
    assert.deepEqual(
      majlis.log.filter((line) => line.includes(canary) || line.includes(digits)),
      [],
    );
    for (const url of [
      ...[
        `/contacts/${contact_id}`,
        `/media/${media_id}`,
        `/conversations/${conversation_id}`,
        `/conversations/${conversation_id}/messages`,
      ],
      ...sent.map((id) => `/messages/${id}`),
    ]) {
      assertRefused(await api.get(url), 404, url);
    }
    assert.equal((await api.get(`/messages/${other.message_id}`)).status, 200);
  });

  it('leaves no row of any table that can name a contact, the tables to come included', async () => {
    const { contact_id, conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    const canary = newCanary();
    const ids = {
      workspace_id: parseId('workspace', workspace.id)!,
      contact_id: parseId('contact', contact_id)!,
      conversation_id: parseId('conversation', conversation_id)!,
      message_id: parseId('message', message_id)!,
    };
    const [identity] = await majlis.sql<{ identifier: string }>(
      'select identifier from contact_identities where contact_id = $1',
      [ids.contact_id],
    );
    const channel_id = parseId('channel', workspace.channel_id)!;
    const filled = await fillTables(majlis, { ...ids, channel_id, number: identity!.identifier, text: canary });
    for (const table of [
      'events',
      'idempotency_keys',
      'note_mentions',
      'conversation_closings',
      'conversation_changes',
    ]) {
      assert.ok(filled.includes(table), table);
    }
    assert.equal((await erase(contact_id)).status, 204);
    const { workspace_id: _, ...own } = ids;
    assert.deepEqual(await searchDatabase(majlis, [canary, identity!.identifier, ...Object.values(own)]), []);
  });

  it('answers 404 the second time, and one of many at once wins', async () => {
    const { contact_id } = await receiveMessage(majlis, workspace, newDigits());
    const replies = await Promise.all(Array.from({ length: 8 }, () => erase(contact_id)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [204, ...Array(7).fill(404)]);
    assertRefused(await erase(contact_id), 404);
  });

  it('answers 404 to a contact of another workspace, which stays', async () => {
    const other = await majlis.workspace();
    const { contact_id, conversation_id } = await receiveMessage(majlis, workspace, newDigits());
    assertRefused(await erase(contact_id, other), 404);
    assert.equal(await contactOf(conversation_id), contact_id);
  });

  it('lets the same customer be someone new when they write again', async () => {
    const digits = newDigits();
    const first = await receiveMessage(majlis, workspace, digits);
    await erase(first.contact_id);
    const second = await receiveMessage(majlis, workspace, digits);
    assert.notEqual(second.contact_id, first.contact_id);
    const { data } = (await workspace.api.get(`/conversations/${second.conversation_id}/messages`)).body;
    assert.equal(data.length, 1);
  });

  it('leaves nothing in the stored answer of any operation that takes an idempotency key', async () => {
    const digits = newDigits();
    const canary = newCanary();
    const { api } = workspace;
    const { conversation_id, contact_id } = await receiveMessage(majlis, workspace, digits);
    const audience = {
      recipients: [
        { to: `+${digits}`, params: [canary, 'A-1'] },
        { to: `+${newDigits()}`, params: ['Salim', 'A-2'] },
      ],
    };
    const identity = { channel_type: 'chatapp', identifier: `+${digits}` };
    const calls = {
      sendMessage: ['/messages', { to: `+${digits}`, kind: 'text', body: canary }],
      sendConversationMessage: [`/conversations/${conversation_id}/messages`, { kind: 'text', body: canary }],
      upsertContact: ['/contacts', { identities: [identity], name: canary }],
      createBroadcast: [
        '/broadcasts',
        { name: 'News', template: template.template, audience, send_at: '2100-01-01T00:00:00Z' },
      ],
      startWorkflowRun: [
        `/workflows/${workspace.applied.workflows[0].id}/runs`,
        { contact: identity, variables: { canary } },
      ],
    } satisfies Record<Keyed, [string, object]>;
    const headers = { 'idempotency-key': randomUUID() };
    for (const [url, body] of Object.values(calls) as [string, object][]) {
      const { status, text } = await api.post(url, body, headers);
      assert.ok(status >= 200 && status < 300, text);
    }
    assert.equal((await erase(contact_id)).status, 204);
    // What the platform still reports of the messages is stored until it is looked at.
    await eventually(
      () => searchDatabase(majlis, [canary, digits]),
      (found) => found.length === 0,
    );
    // The others are not written to again by whoever repeats the key.
    const [url, body] = calls.createBroadcast;
    const again = await api.post(url, body, headers);
    assert.deepEqual([again.status, again.body.audience.recipients.length], [201, 1]);
  });

  it('forgets an idempotency key with the answer that it held', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { to: `+${newDigits()}`, ...template };
    const first = await workspace.api.post('/messages', body, headers);
    await erase(await contactOf(first.body.conversation_id));
    const second = await workspace.api.post('/messages', body, headers);
    assert.equal(second.status, 201);
    assert.notEqual(second.body.id, first.body.id);
  });
});

describe('an erasure while messages wait to be sent', async () => {
  const platform = await startScriptedPlatform();
  const env = { RATE_LIMITS: 'off', CHATAPP_API_URL: platform.api_url };
  // Without a worker what is accepted waits; the workers come when the test wants them.
  const waiting = await startTestService({ env: { ...env, ROLES: 'api' } });

  it('cancels them: no call is made any more', async () => {
    const acme = await waiting.workspace();
    const to = `+${newDigits()}`;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => acme.api.post('/messages', { to, ...template })),
    );
    const kept = await acme.api.post('/messages', { to: `+${newDigits()}`, ...template });
    assert.equal((await erase(await contactOf(replies[0]!.body.conversation_id, acme), acme)).status, 204);
    const working = await waiting.another({ ROLES: 'api,worker' });
    await untilDispatched(waiting);
    assert.deepEqual(
      platform.calls.map((call) => call.callback_data),
      [kept.body.id],
    );
    assert.deepEqual(await searchDatabase(waiting, [to]), []);
    await working.stop();
  });

  it('takes the contact out of notifications that wait, and leaves what others wrote', async () => {
    const acme = await waiting.workspace();
    const [digits, others] = [newDigits(), newDigits()];
    const canary = newCanary();
    const { body } = await acme.api.post('/messages', { to: `+${digits}`, ...template });
    const profile = (wa_id: string, name: string) => ({ wa_id, profile: { name } });
    await postNotification(waiting, acme, {
      messages: [platformText(digits, canary)],
      contacts: [profile(digits, canary)],
    });
    const left = platformText(others, 'still here');
    await postNotification(waiting, acme, {
      messages: [platformText(digits, canary), left],
      contacts: [profile(digits, canary), profile(others, 'Salim')],
      statuses: [platformStatus('wamid.unknown', 'sent', { recipient_id: digits })],
    });
    assert.equal((await erase(await contactOf(body.conversation_id, acme), acme)).status, 204);
    assert.deepEqual(await searchDatabase(waiting, [canary, digits]), []);
    const working = await waiting.another({ ROLES: 'api,worker' });
    await untilNotificationsProcessed(waiting);
    assert.deepEqual(await searchDatabase(waiting, [canary, digits]), []);
    const stored = await waiting.sql('select body from messages where platform_message_id = $1', [left.id]);
    assert.deepEqual(stored, [{ body: 'still here' }]);
    await working.stop();
  });

  it('takes a notification out of the hands of a worker that is at it', async () => {
    const acme = await waiting.workspace();
    const digits = newDigits();
    const canary = newCanary();
    const { body } = await acme.api.post('/messages', { to: `+${digits}`, ...template });
    const contact_id = await contactOf(body.conversation_id, acme);
    await postNotification(waiting, acme, { messages: [platformText(digits, canary)] });
    const putOff = (by: string) =>
      waiting.sql(`update jobs set run_at = run_at + $1::interval where kind = 'inbound.process_webhook'`, [by]);
    // A service reads channels when it starts: it must be there before they are locked.
    await putOff('1 day');
    const working = await waiting.another({ ROLES: 'api,worker' });
    // The worker reads channels first, the erasure where it keeps places of the tier: both are halfway when they may go on.
    const { erasing } = await whileHeld(waiting, 'lock table channels in access exclusive mode', async () => {
      await putOff('-1 day');
      await eventually(
        () => waiting.sql(`select from jobs where kind = 'inbound.process_webhook' and attempts > 0`),
        (jobs) => jobs.length === 1,
      );
      const erasing = erase(contact_id, acme);
      await untilWaiting(waiting, 1, 'into erased_places');
      return { erasing };
    });
    assert.equal((await erasing).status, 204);
    await untilNotificationsProcessed(waiting);
    assert.deepEqual(await searchDatabase(waiting, [canary, digits]), []);
    await working.stop();
  });

  it('lets a call that has begun end, and keeps nothing of it; its statuses are swallowed', async () => {
    const acme = await waiting.workspace();
    const working = await waiting.another({ ROLES: 'api,worker' });
    const digits = newDigits();
    const begun = Promise.withResolvers<Parameters<typeof acceptSend>[0]>();
    platform.script((call) => begun.resolve(call));
    const { body } = await acme.api.post('/messages', { to: `+${digits}`, ...template });
    const call = await within(begun.promise, 30_000, 'the call');
    assert.equal((await erase(await contactOf(body.conversation_id, acme), acme)).status, 204);
    const wamid = acceptSend(call);
    platform.script(acceptSend);
    for (const status of ['sent', 'delivered', 'read', 'failed']) {
      const told = platformStatus(wamid, status, {
        recipient_id: digits,
        biz_opaque_callback_data: call.callback_data,
      });
      await postNotification(waiting, acme, { statuses: [told] });
    }
    await eventually(
      () => waiting.sql('select kind from jobs'),
      (jobs) =>
        jobs.every(
          ({ kind }) => !/^(messages\.(?!index_messages|forget_scheduled|forget_erased_calls)|inbound\.)/.test(kind),
        ),
    );
    assert.deepEqual(await searchDatabase(waiting, [digits, parseId('message', body.id)!]), []);
    const errors = working.log.filter((line) => /"level":"(error|fatal)"/.test(line));
    assert.deepEqual(errors, []);
    assert.ok(!working.log.some((line) => line.includes(digits)));
    await working.stop();
  });
});

describe('an erasure while the contact writes and is written to', () => {
  it('ends what was stored before it, and nothing that comes is refused as an error', async () => {
    const digits = newDigits();
    const bodies: string[] = [];
    const erased = new Set<string>();
    for (let round = 0; round < 25; round++) {
      const before = newCanary();
      bodies.push(before);
      await postNotification(majlis, workspace, { messages: [platformText(digits, before)] });
      const [owner] = await majlis.sql<{ id: string }>(
        `select contact_id as id from contact_identities where identifier = $1`,
        [`+${digits}`],
      );
      const [reply, ...others] = await Promise.all([
        owner ? workspace.api.request('DELETE', `/contacts/${publicId('contact', owner.id)}`) : undefined,
        workspace.api.post('/messages', { to: `+${digits}`, ...template }),
        workspace.api.post('/messages', { to: `+${digits}`, ...template }),
        postNotification(majlis, workspace, { messages: [platformText(digits, 'meanwhile')] }),
      ]);
      for (const { status, text } of others.filter((one) => one !== undefined)) assert.equal(status, 201, text);
      if (reply) assert.ok(reply.status === 204 || reply.status === 404, reply.text);
      if (reply?.status === 204) for (const body of bodies) erased.add(body);
    }
    await untilNotificationsProcessed(majlis);
    assert.ok(erased.size > 0);
    assert.deepEqual(await searchDatabase(majlis, [...erased]), []);
    const orphans = await majlis.sql(`select id from contacts c
      where not exists (select from contact_identities i where i.contact_id = c.id)`);
    assert.deepEqual(orphans, []);
  });
});
