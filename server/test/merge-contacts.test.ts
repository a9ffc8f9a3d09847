import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { Reply } from '@majlis/testing/api';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import { fillTables } from '@majlis/testing/fill-tables';
import { newDigits, sendText, untilStatus } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { type ReceivedMessage, receiveMessage } from '@majlis/testing/receive-message';
import { searchDatabase } from '@majlis/testing/search-database';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId, publicId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
before(async () => {
  workspace = await majlis.workspace();
});

interface Customer extends ReceivedMessage {
  digits: string;
}

async function newCustomer(): Promise<Customer> {
  const digits = newDigits();
  return { digits, ...(await receiveMessage(majlis, workspace, digits)) };
}

const merge = (survivor: string, source: string, { api } = workspace): Promise<Reply> =>
  api.post(`/contacts/${survivor}/merge`, { source_contact_id: source });
const contactOf = async (conversation_id: string): Promise<string> =>
  (await workspace.api.get(`/conversations/${conversation_id}`)).body.contact_id;
const set = async (contact_id: string, values: Record<string, unknown>) => {
  const names = Object.keys(values).join(', ');
  await majlis.sql(
    `update contacts set (${names}) = (select ${names} from json_populate_record(null::contacts, $2)) where id = $1`,
    [parseId('contact', contact_id), JSON.stringify(values)],
  );
};

describe('POST /v1/contacts/{contact_id}/merge', () => {
  it('moves identities, tags and conversations to the survivor, and deletes the source', async () => {
    const [a, b] = [await newCustomer(), await newCustomer()];
    await set(a.contact_id, { tags: ['vip', 'muscat'], name: 'Aisha', vip: false });
    await set(b.contact_id, { tags: ['muscat', 'new'], name: 'A. Said', email: 'aisha@example.com', vip: true });
    const { status, body } = await merge(a.contact_id, b.contact_id);
    assert.equal(status, 200);
    const { id, name, email, vip, tags, identities } = body;
    assert.deepEqual(
      { id, name, email, vip, tags },
      { id: a.contact_id, name: 'Aisha', email: 'aisha@example.com', vip: true, tags: ['vip', 'muscat', 'new'] },
    );
    assert.deepEqual(
      identities.map(({ identifier }: { identifier: string }) => identifier).sort(),
      [a, b].map(({ digits }) => `+${digits}`).sort(),
    );
    assert.equal(await contactOf(b.conversation_id), a.contact_id);
    const { data } = (await workspace.api.get(`/conversations?contact_id=${a.contact_id}`)).body;
    assert.equal(data.length, 2);
    assertRefused(await merge(a.contact_id, b.contact_id), 404);
    assertRefused(await workspace.api.request('DELETE', `/contacts/${b.contact_id}`), 404);
  });

  it('keeps the history, in the survivor’s name', async () => {
    const [a, b] = [await newCustomer(), await newCustomer()];
    await merge(a.contact_id, b.contact_id);
    const { actor_kind, actor_id } = (await workspace.api.get(`/messages/${b.message_id}`)).body;
    assert.deepEqual({ actor_kind, actor_id }, { actor_kind: 'contact', actor_id: a.contact_id });
  });

  it('stays blocked, and without a consent that was withdrawn, whoever of the two it was', async () => {
    for (const turned of [false, true]) {
      const [a, b] = [await newCustomer(), await newCustomer()];
      await set(turned ? a.contact_id : b.contact_id, { blocked: true, consents: { chatapp_marketing: false } });
      await set(turned ? b.contact_id : a.contact_id, { consents: { chatapp_marketing: true } });
      const { blocked, consents } = (await merge(a.contact_id, b.contact_id)).body;
      assert.deepEqual({ blocked, consents }, { blocked: true, consents: { chatapp_marketing: false } });
    }
  });

  it('leaves nothing that names the source, in any table, the tables to come included', async () => {
    const [a, b] = [await newCustomer(), await newCustomer()];
    const text = `filled${randomUUID()}`;
    const owner = {
      channel_id: parseId('channel', workspace.channel_id)!,
      workspace_id: parseId('workspace', workspace.id)!,
      contact_id: parseId('contact', b.contact_id)!,
      conversation_id: parseId('conversation', b.conversation_id)!,
      message_id: parseId('message', b.message_id)!,
    };
    // The index has one row of each message, which the service writes soon.
    await eventually(
      () => majlis.sql('select from message_search where message_id = $1', [owner.message_id]),
      (indexed) => indexed.length > 0,
    );
    await fillTables(majlis, { ...owner, number: `+${b.digits}`, text });
    const tablesOf = async () => (await searchDatabase(majlis, [text])).map(({ table }) => table).sort();
    const filled = await tablesOf();
    const { status, text: answer } = await merge(a.contact_id, b.contact_id);
    assert.equal(status, 200, answer);
    assert.deepEqual(await searchDatabase(majlis, [owner.contact_id]), []);
    assert.deepEqual(await tablesOf(), filled);
    assert.equal((await workspace.api.request('DELETE', `/contacts/${a.contact_id}`)).status, 204);
    assert.deepEqual(await searchDatabase(majlis, [text, a.digits, b.digits]), []);
  });

  it('refuses a contact with itself: 422, and changes nothing', async () => {
    const a = await newCustomer();
    const body = assertRefused(await merge(a.contact_id, a.contact_id), 422);
    assert.equal(body.errors?.[0]?.pointer, '/source_contact_id');
    assert.equal(await contactOf(a.conversation_id), a.contact_id);
  });

  it('answers 404 where either names no contact of the workspace', async () => {
    const a = await newCustomer();
    const other = await majlis.workspace();
    const foreign = await receiveMessage(majlis, other, newDigits());
    const nobody = publicId('contact', randomUUID());
    for (const id of [foreign.contact_id, nobody, 'ct_x', a.conversation_id, '']) {
      assertRefused(await merge(a.contact_id, id), 404, id);
      if (id) assertRefused(await merge(id, a.contact_id), 404, id);
    }
    assert.equal(
      (await other.api.get(`/conversations/${foreign.conversation_id}`)).body.contact_id,
      foreign.contact_id,
    );
    for (const body of [{}, { source_contact_id: 7 }, { source_contact_id: null }]) {
      assertRefused(await workspace.api.post(`/contacts/${a.contact_id}/merge`, body), 422);
    }
  });

  it('is won by one of two in opposite directions; the other answers 404, and one contact stays', async () => {
    for (let round = 0; round < 20; round++) {
      const [a, b] = [await newCustomer(), await newCustomer()];
      const replies = await Promise.all([
        merge(a.contact_id, b.contact_id),
        merge(b.contact_id, a.contact_id),
        merge(a.contact_id, b.contact_id),
      ]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404, 404]);
      const survivor = replies.find(({ status }) => status === 200)!.body;
      assert.equal(survivor.identities.length, 2);
      assert.equal(await contactOf(a.conversation_id), survivor.id);
      assert.equal(await contactOf(b.conversation_id), survivor.id);
    }
  });
});

describe('two conversations on one channel after a merge', () => {
  it('the one with the latest activity is written to by number, and takes what the customer writes', async () => {
    const [a, b] = [await newCustomer(), await newCustomer()];
    await merge(a.contact_id, b.contact_id);
    const byNumber = async (digits: string) =>
      (await workspace.api.post('/messages', { to: `+${digits}`, kind: 'text', body: 'Hi' })).body.conversation_id;
    assert.equal(await byNumber(b.digits), b.conversation_id);
    assert.equal(await byNumber(a.digits), b.conversation_id);
    await sendText(workspace, a.conversation_id);
    assert.equal(await byNumber(b.digits), a.conversation_id);
    assert.equal((await receiveMessage(majlis, workspace, b.digits)).conversation_id, a.conversation_id);
  });

  it('each goes on with the number that it was held with, even where the customer never wrote', async () => {
    const a = await newCustomer();
    const digits = newDigits();
    const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
    const { conversation_id } = (await workspace.api.post('/messages', { to: `+${digits}`, ...template })).body;
    await merge(a.contact_id, await contactOf(conversation_id));
    const { body } = await workspace.api.post(`/conversations/${conversation_id}/messages`, template);
    const [row] = await majlis.sql('select recipient from messages where id = $1', [parseId('message', body.id)]);
    assert.deepEqual(row, { recipient: `+${digits}` });
    const handleOf = async (id: string) => (await workspace.api.get(`/conversations/${id}`)).body.contact_handle;
    assert.equal(await handleOf(conversation_id), `+${digits}`);
    assert.equal(await handleOf(a.conversation_id), `+${a.digits}`);
  });
});

describe('messages under way while their contact is merged', () => {
  it('keep their recipient, move with their conversation, and their statuses still land', async () => {
    const [a, b] = [await newCustomer(), await newCustomer()];
    const sends: Promise<string>[] = [];
    for (let n = 0; n < 30; n++) sends.push(sendText(workspace, b.conversation_id, `number ${n}`));
    const merged = await merge(a.contact_id, b.contact_id);
    assert.equal(merged.status, 200, merged.text);
    for (const id of await Promise.all(sends)) {
      await untilStatus(majlis, id, 'read');
      const [row] = await majlis.sql('select recipient from messages where id = $1', [parseId('message', id)]);
      assert.deepEqual(row, { recipient: `+${b.digits}` });
    }
  });

  it('come to no orphan, no double and no error in a loop of merges, sends, notifications and new contacts', async () => {
    let survivor = await newCustomer();
    const problems: string[] = [];
    const watch = ({ status, text }: Reply, allowed: number[]) => {
      if (!allowed.includes(status)) problems.push(`${status} ${text}`);
    };
    let accepted = 0;
    for (let round = 0; round < 40; round++) {
      const source = await newCustomer();
      const { digits, contact_id, conversation_id } = source;
      const text = { kind: 'text', body: `round ${round}` };
      const order = round % 2 === 0 ? [survivor, source] : [source, survivor];
      const [merged, ...sends] = await Promise.all([
        merge(order[0]!.contact_id, order[1]!.contact_id),
        workspace.api.post('/messages', { to: `+${digits}`, ...text }),
        workspace.api.post('/messages', { to: `+${survivor.digits}`, ...text }),
        workspace.api.post('/messages', { contact_id, ...text }),
        workspace.api.post(`/conversations/${conversation_id}/messages`, text),
        workspace.api.post(`/conversations/${survivor.conversation_id}/messages`, text),
      ]);
      await postNotification(majlis, workspace, {
        messages: [platformText(digits, 'one'), platformText(survivor.digits, 'two')],
      });
      watch(merged, [200]);
      for (const reply of sends) watch(reply, [201, 422]);
      accepted += sends.filter(({ status }) => status === 201).length;
      survivor = { ...order[0]!, contact_id: merged.body.id ?? survivor.contact_id };
    }
    assert.deepEqual(problems, []);
    await untilNotificationsProcessed(majlis);
    const [counts] = await majlis.sql(
      `select (select count(*)::int from messages where direction = 'outbound' and body like 'round %') as sent,
         (select count(*)::int from messages m where not exists (
            select from conversations c join contacts o on o.id = c.contact_id where c.id = m.conversation_id)) as lost,
         (select count(*)::int from contacts c where not exists (
            select from contact_identities i where i.contact_id = c.id)) as nameless`,
    );
    assert.deepEqual(counts, { sent: accepted, lost: 0, nameless: 0 });
    const errors = majlis.log.filter((line) => /"level":"(error|fatal)"/.test(line));
    assert.deepEqual(errors, []);
  });
});
