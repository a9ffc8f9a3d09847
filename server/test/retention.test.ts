import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { createBroadcastClient } from '@majlis/testing/broadcasts';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { addLongHistory, lockOldestMessage } from '@majlis/testing/long-history';
import { addPlatformFile, downloadFile, samples, uploadFile } from '@majlis/testing/media';
import { newDigits, sendText, untilStatus } from '@majlis/testing/messages';
import { platformStatus, platformText, postNotification } from '@majlis/testing/notifications';
import { openStream } from '@majlis/testing/open-stream';
import { joinWorkspace } from '@majlis/testing/people';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { ageConversation, closeConversation, setRetention } from '@majlis/testing/retention';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { whileHeld } from '@majlis/testing/while-held';
import { withTrigger } from '@majlis/testing/with-trigger';
import { publishWorkflows } from '@majlis/testing/workflows';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

async function setUp() {
  const workspace = await majlis.workspace();
  const admin = await joinWorkspace(majlis, workspace, { role: 'admin' });
  return { workspace, admin };
}

/** A closed conversation whose last message is so many days old. */
async function meet(workspace: TestWorkspace, days: number, digits = newDigits()) {
  const met = await receiveMessage(majlis, workspace, digits);
  await closeConversation(workspace, met.conversation_id);
  await ageConversation(majlis, met.conversation_id, days);
  return { ...met, digits };
}

const isThere = async ({ api }: TestWorkspace, { conversation_id }: { conversation_id: string }) => {
  const { status } = await api.get(`/conversations/${conversation_id}`);
  assert.ok(status === 200 || status === 404);
  return status === 200;
};
const untilGone = (workspace: TestWorkspace, met: { conversation_id: string }) =>
  eventually(
    () => isThere(workspace, met),
    (there) => !there,
  );
const dayOf = (days_ago: number) => new Date(Date.now() - days_ago * 86_400_000).toISOString().slice(0, 10);
const usedSince = async ({ api }: TestWorkspace, days: number) =>
  (await api.get(`/usage?from=${dayOf(days)}&to=${dayOf(-1)}`)).body;

describe('the retention of a workspace', () => {
  it('keeps what is open, put off or used, and what has something still to come', async () => {
    const { workspace, admin } = await setUp();
    const { api } = workspace;
    const kept: Record<string, (id: string) => Promise<unknown>> = {
      'one that is open': (id) => majlis.sql(`update conversations set status = 'open' where id = $1`, [id]),
      'one that is snoozed': (id) =>
        majlis.sql(`update conversations set snoozed_until = now() + interval '1 year' where id = $1`, [id]),
      'one with a message in delivery': (id) => insertMessage(id, 'text', 'queued'),
      'one with a note of today': (id) =>
        insertMessage(id, 'note', null).then(() =>
          majlis.sql(`update messages set created_at = now() where conversation_id = $1 and kind = 'note'`, [id]),
        ),
      'one with a draft of today': (id) =>
        majlis.sql(
          `insert into drafts (workspace_id, user_id, conversation_id, kind, body, version, updated_at)
           select workspace_id, $2, id, 'reply', 'Hello', gen_random_uuid(), now() from conversations where id = $1`,
          [id, parseId('user', admin.user_id)],
        ),
      'one closed today': (id) =>
        majlis.sql(`update conversation_closings set closed_at = now() where conversation_id = $1`, [id]),
      'one with a scheduled message': (id) =>
        majlis.sql(
          `insert into scheduled_messages (workspace_id, id, conversation_id, user_id, content, send_at, state, version,
             created_at, changed_at)
           select workspace_id, gen_random_uuid(), id, $2, '{}', now() + interval '1 day', 'scheduled', 1, now(), now()
           from conversations where id = $1`,
          [id, parseId('user', admin.user_id)],
        ),
      'one with a waiting proposal': (id) =>
        majlis.sql(
          `insert into proposals (workspace_id, id, conversation_id, action, content, state, created_at)
           select workspace_id, gen_random_uuid(), id, 'send_message', '{}', 'waiting', now() from conversations where id = $1`,
          [id],
        ),
      'one with a running workflow': (id) => insertRun(id, true),
      'one whose contact has a running workflow': (id) => insertRun(id, false),
      'one with a job': (id) =>
        majlis.sql(
          `insert into jobs (kind, group_id, queue_key, payload, run_at)
           select 'ai.answer_message', workspace_id, id, '{}', now() + interval '1 year' from conversations where id = $1`,
          [id],
        ),
      'one for which a workflow starts later': (id) =>
        majlis.sql(
          `insert into jobs (kind, group_id, payload, run_at)
           select 'workflows.begin_run', workspace_id, json_build_object('conversation_id', id), now() + interval '1 year'
           from conversations where id = $1`,
          [id],
        ),
      'one that a repeated request names': (id) =>
        majlis.sql(
          `insert into idempotency_keys (workspace_id, operation, key, fingerprint, status, body, conversation_id, created_at)
           select workspace_id, 'POST /v1/messages', $2, '', 201, '{}', id, now() from conversations where id = $1`,
          [id, randomUUID()],
        ),
      'one that a broadcast under way has reached': (id) => insertRecipient(id),
    };
    const met = new Map<string, Awaited<ReturnType<typeof meet>>>();
    for (const [name, keep] of Object.entries(kept)) {
      const one = await meet(workspace, 100);
      await keep(parseId('conversation', one.conversation_id)!);
      met.set(name, one);
    }
    const last = await meet(workspace, 99);
    const preview = await admin.at('GET', '/retention/preview?days=30');
    assert.deepEqual(preview.body, { conversations: 1, messages: 1, files: 0, has_more: false });
    await setRetention(admin, 30);
    // The oldest go first, so all others were looked at before this one.
    await untilGone(workspace, last);
    for (const [name, one] of met) assert.ok(await isThere(workspace, one), name);
    assert.equal((await api.get(`/contacts/${last.contact_id}`)).status, 200);
    await majlis.sql(`delete from jobs where run_at > now() + interval '300 days'`);
  });

  it('takes all of a conversation with it, and leaves the contact and the figures', async () => {
    const { workspace, admin } = await setUp();
    const { api } = workspace;
    const canary = `canary${randomUUID()}`;
    const digits = newDigits();
    const receive = messageReceiver(majlis, workspace);
    const { conversation_id, contact_id } = await receiveMessage(majlis, workspace, digits);
    const id = await addPlatformFile(majlis, workspace, Buffer.concat([samples.pdf, Buffer.from(canary)]), {
      type: 'application/pdf',
      filename: `${canary}.pdf`,
    });
    const file = await receive(digits, 'document', { id, filename: `${canary}.pdf` });
    const media_id = (await uploadFile(majlis, workspace, samples.png, { filename: `${canary}.png` })).body.id;
    const path_of = `/conversations/${conversation_id}`;
    const sent = await sendText(workspace, conversation_id, canary);
    const picture = (await api.post(`${path_of}/messages`, { kind: 'image', media_id, body: canary })).body.id;
    for (const one of [sent, picture]) await untilStatus(majlis, one, 'read');
    const shared = (await uploadFile(majlis, workspace, samples.png)).body.id;
    const other = await receiveMessage(majlis, workspace, newDigits());
    for (const to of [conversation_id, other.conversation_id]) {
      const { body } = await api.post(`/conversations/${to}/messages`, { kind: 'image', media_id: shared });
      await untilStatus(majlis, body.id, 'read');
    }
    await admin.at('POST', `${path_of}/notes`, { body: `@Person ${canary}` });
    await admin.at('PUT', `${path_of}/drafts/reply`, { body: canary });
    await majlis.sql(`update drafts set updated_at = updated_at - interval '40 days'`);
    await admin.at('PUT', `${path_of}/read-mark`, { last_read_message_id: file.id });
    await api.post(`${path_of}/close`, { summary: canary });
    const received = await eventually(
      () => majlis.sql<AnyJson>(`select media_id from messages where filename = $1`, [`${canary}.pdf`]),
      ([row]) => Boolean(row?.media_id),
    );
    await eventually(
      () =>
        majlis.sql(`select from message_search where conversation_id = $1`, [parseId('conversation', conversation_id)]),
      (rows) => rows.length > 0,
    );
    await ageConversation(majlis, conversation_id, 40);
    const before = { usage: await usedSince(workspace, 60), wallet: (await api.get('/wallet')).body };
    assert.equal(before.usage.messages_sent, 4);
    const preview = await admin.at('GET', '/retention/preview?days=40');
    assert.deepEqual(preview.body, { conversations: 1, messages: 6, files: 2, has_more: false });
    const stream = await openStream(majlis, admin);

    await setRetention(admin, 40);
    await stream.until((event) => event.kind === 'removed' && event.conversation_id === conversation_id);
    assert.deepEqual(
      await searchDatabase(majlis, [canary, conversation_id, parseId('conversation', conversation_id)!]),
      [],
    );
    const folder = path.join(majlis.data_dir, 'media', parseId('workspace', workspace.id)!);
    for (const gone of [parseId('media', media_id)!, received[0]!.media_id as string]) {
      await eventually(
        () => readdir(folder),
        (names) => !names.includes(gone),
      );
    }
    assert.equal((await downloadFile(majlis, workspace, shared)).status, 200);
    assert.equal((await api.get(`/contacts/${contact_id}`)).body.identities[0].identifier, `+${digits}`);
    assert.deepEqual(await usedSince(workspace, 60), before.usage);
    assert.deepEqual((await api.get('/wallet')).body, before.wallet);
  });

  it('keeps one that is reopened while others are deleted', async () => {
    const { workspace, admin } = await setUp();
    const [first, second] = [await meet(workspace, 41), await meet(workspace, 40)];
    const id = parseId('conversation', second.conversation_id);
    const body = `update conversations set status = 'open' where id = '${id}'; return old;`;
    await withTrigger(majlis, { on: 'before delete on messages', body }, async () => {
      await setRetention(admin, 30);
      await untilGone(workspace, first);
      await untilIdle();
    });
    assert.ok(await isThere(workspace, second));
  });

  it('leaves a file of the customer that a workflow sends', async () => {
    const { workspace, admin } = await setUp();
    const digits = newDigits();
    const { conversation_id } = await receiveMessage(majlis, workspace, digits);
    const id = await addPlatformFile(majlis, workspace, samples.pdf, { type: 'application/pdf' });
    await messageReceiver(majlis, workspace)(digits, 'document', { id });
    const [named] = await eventually(
      async () => (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body.data,
      (messages) => messages.some(({ media_id }: AnyJson) => media_id !== undefined),
    ).then((messages) => messages.flatMap(({ media_id }: AnyJson) => media_id ?? []));
    const message = { kind: 'file', media_id: named };
    await publishWorkflows(majlis, workspace, {
      ...{ name: 'Send', trigger: 'api_call' },
      steps: [{ do: 'send_message', message }],
    });
    await closeConversation(workspace, conversation_id);
    await ageConversation(majlis, conversation_id, 31);
    assert.equal((await admin.at('GET', '/retention/preview?days=30')).body.files, 0);
    await setRetention(admin, 30);
    await untilGone(workspace, { conversation_id });
    assert.equal((await downloadFile(majlis, workspace, named)).status, 200);
  });

  it('deletes a long history in many transactions, of which nobody sees one', async () => {
    const { workspace, admin } = await setUp();
    const { api } = workspace;
    const met = await meet(workspace, 31);
    const id = parseId('conversation', met.conversation_id)!;
    const canary = `canary${randomUUID()}`;
    await addLongHistory(majlis, id, canary);
    await majlis.sql(`update messages set created_at = now() - interval '31 days' where conversation_id = $1`, [id]);
    const before = await usedSince(workspace, 60);
    assert.equal(before.messages_sent, 11_000);
    await whileHeld(majlis, lockOldestMessage(id), async () => {
      await setRetention(admin, 30);
      await untilGone(workspace, met);
      assert.ok((await searchDatabase(majlis, [canary])).length > 0, 'the rest is still there');
      assert.deepEqual((await api.get('/conversations')).body.data, []);
      assert.deepEqual(await usedSince(workspace, 60), before);
      const sent = await api.post('/messages', { contact_id: met.contact_id, kind: 'text', body: 'Hello' });
      assertRefused(sent, 409, 'window_closed');
    });
    await eventually(
      () => searchDatabase(majlis, [canary, id]),
      (rows) => rows.length === 0,
    );
    assert.deepEqual(await usedSince(workspace, 60), before);
  });

  it('leaves a broadcast its figures', async () => {
    const { workspace, admin } = await setUp();
    const broadcasts = createBroadcastClient(majlis);
    const [gone, stays] = [await meet(workspace, 0), await meet(workspace, 0)];
    const recipients = [gone, stays].map(({ digits }) => ({ to: `+${digits}`, params: ['Muna', 'A-1'] }));
    const { id } = await broadcasts.create(workspace, { recipients });
    const { counts } = await broadcasts.untilCounts(workspace, id, { read: 2 });
    await eventually(
      () => broadcasts.read(workspace, id),
      ({ status }) => status === 'sent',
    );
    for (const { conversation_id } of [gone, stays]) await closeConversation(workspace, conversation_id);
    await ageConversation(majlis, gone.conversation_id, 31);
    await setRetention(admin, 30);
    await untilGone(workspace, gone);
    const after = await broadcasts.read(workspace, id);
    assert.deepEqual(after.counts, counts);
    assert.equal(after.audience.recipients.length, 1);
    assert.ok(await isThere(workspace, stays));
  });

  // These move the clock.
  it('knows nothing of a deleted message that is reported or quoted later, and meets its customer anew', async () => {
    const { workspace, admin } = await setUp();
    const { api } = workspace;
    const digits = newDigits();
    const { conversation_id, wamid, contact_id } = await receiveMessage(majlis, workspace, digits);
    const sent = await untilStatus(majlis, await sendText(workspace, conversation_id), 'read');
    await closeConversation(workspace, conversation_id);
    await ageConversation(majlis, conversation_id, 31);
    await setRetention(admin, 30);
    await untilGone(workspace, { conversation_id });
    const statuses = ['sent', 'delivered', 'read', 'failed'].map((status) =>
      platformStatus(sent.platform_message_id!, status, { recipient_id: digits }),
    );
    await postNotification(majlis, workspace, { statuses });
    const quote = platformText(digits, 'As I wrote', { context: { from: digits, id: wamid } });
    const reaction = { ...platformText(digits, ''), type: 'reaction', reaction: { message_id: wamid, emoji: '👍' } };
    await postNotification(majlis, workspace, { messages: [quote, reaction] });
    const [row] = await eventually(
      () =>
        majlis.sql<AnyJson>('select conversation_id, reply_to_id from messages where platform_message_id = $1', [
          quote.id,
        ]),
      (rows) => rows.length === 1,
    );
    // Reports of unknown messages are tried again for a quarter of an hour.
    await eventually(
      async () => {
        await majlis.advance(300);
        return majlis.sql(`select from jobs where kind like 'inbound.%'`);
      },
      (jobs) => jobs.length === 0,
    );
    assert.equal(row!.reply_to_id, null);
    assert.notEqual(row!.conversation_id, parseId('conversation', conversation_id));
    const { data } = (await api.get(`/conversations?contact_id=${contact_id}`)).body;
    assert.deepEqual(
      data.map(({ status, unread_count }: AnyJson) => [status, unread_count > 0]),
      [['open', true]],
    );
    assert.equal(await isThere(workspace, { conversation_id }), false);
    assert.deepEqual(
      majlis.log.filter((line) => /"level":"(error|fatal)"/.test(line)),
      [],
    );
  });

  it('deletes nothing until it is set', async () => {
    const { workspace, admin } = await setUp();
    const old = await meet(workspace, 4_000);
    const other = await setUp();
    const gone = await meet(other.workspace, 31);
    assert.equal((await admin.at('GET', '/retention')).body.conversation_days, null);
    await setRetention(other.admin, 30);
    await untilGone(other.workspace, gone);
    const next = await meet(other.workspace, 31);
    await majlis.advance(3_601);
    await untilGone(other.workspace, next);
    await untilIdle();
    assert.ok(await isThere(workspace, old));
  });

  it('goes by the last message, and has those deleted that come of age', async () => {
    const { workspace, admin } = await setUp();
    const [old, young] = [await meet(workspace, 30), await meet(workspace, 29)];
    assert.equal((await setRetention(admin, 30)).status, 200);
    await untilGone(workspace, old);
    await untilIdle();
    assert.ok(await isThere(workspace, young));
    await majlis.advance(86_400);
    await untilGone(workspace, young);
    assert.equal((await workspace.api.get(`/contacts/${young.contact_id}`)).status, 200);
  });
});

/** Waits until no workspace is being looked through. */
async function untilIdle(): Promise<void> {
  await eventually(
    () =>
      majlis.sql(
        `select from jobs where kind = 'retention.delete_conversations'
           or kind = 'retention.apply_retention' and leased_until > clock_timestamp()`,
      ),
    (rows) => rows.length === 0,
  );
}

const insertMessage = (id: string, kind: string, status: string | null) =>
  majlis.sql(
    `insert into messages (workspace_id, id, conversation_id, channel_id, direction, kind, body, status, created_at)
     select workspace_id, gen_random_uuid(), id, channel_id, 'outbound', $2, 'Hello', $3, now() - interval '100 days'
     from conversations where id = $1`,
    [id, kind, status],
  );

async function insertRun(conversation_id: string, isOfConversation: boolean): Promise<void> {
  const workflow_id = randomUUID();
  await majlis.sql(
    `insert into workflows (workspace_id, id, name, status, trigger, updated_at)
     select workspace_id, $2::uuid, $2::uuid::text, 'draft', 'api_call', now() from conversations where id = $1`,
    [conversation_id, workflow_id],
  );
  await majlis.sql(
    `insert into workflow_runs (workspace_id, id, workflow_id, version, contact_id, conversation_id, control, status,
       trigger, started_at)
     select workspace_id, gen_random_uuid(), $2, 1, contact_id, case when $3 then id end, 'human', 'running', '{}', now()
     from conversations where id = $1`,
    [conversation_id, workflow_id, isOfConversation],
  );
}

async function insertRecipient(conversation_id: string): Promise<void> {
  const broadcast_id = randomUUID();
  await majlis.sql(
    `insert into broadcasts (workspace_id, id, name, channel_id, template_name, template_language, status, send_at, created_at)
     select workspace_id, $2, 'Sale', channel_id, 'order_update', 'en', 'sending', now(), now()
     from conversations where id = $1`,
    [conversation_id, broadcast_id],
  );
  await majlis.sql(
    `insert into broadcast_recipients (workspace_id, broadcast_id, position, identifier, status, conversation_id)
     select workspace_id, $2, 1, '+96890000000', 'accepted', id from conversations where id = $1`,
    [conversation_id, broadcast_id],
  );
}
