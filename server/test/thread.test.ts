import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ThreadItem, ThreadMessage } from '@majlis/console-api';
import { eventually } from '@majlis/testing/eventually';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let aisha: Member;
before(async () => {
  workspace = await majlis.workspace();
  aisha = await joinWorkspace(majlis, workspace, { role: 'supervisor', name: 'Aisha' });
});

const thread = async (conversation_id: string, query = '', person = aisha) => {
  const { status, body } = await person.at('GET', `/conversations/${conversation_id}/thread${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { data: ThreadItem[]; has_earlier: boolean; has_later: boolean };
};
const messagesOf = async (conversation_id: string, query = '') =>
  (await thread(conversation_id, query)).data.filter((item): item is ThreadMessage => item.type === 'message');
const send = async (conversation_id: string, message: object): Promise<ThreadMessage> => {
  const { status, body } = await aisha.at('POST', `/conversations/${conversation_id}/messages`, message);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
};
const write = (conversation_id: string, body: string) => send(conversation_id, { kind: 'text', body });

describe('a thread', () => {
  it('is read from its end, in both directions, and around a message', async () => {
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    const ids = [message_id];
    for (const body of ['1', '2', '3', '4', '5']) ids.push((await write(conversation_id, body)).id);
    const page = async (query: string) => {
      const { data, has_earlier, has_later } = await thread(conversation_id, query);
      return [data.map(({ id }) => ids.indexOf(id)).join(''), has_earlier, has_later];
    };
    assert.deepEqual(await page(''), ['012345', false, false]);
    assert.deepEqual(await page('?limit=2'), ['45', true, false]);
    assert.deepEqual(await page(`?limit=2&before=${ids[4]}`), ['23', true, true]);
    assert.deepEqual(await page(`?limit=2&before=${ids[2]}`), ['01', false, true]);
    assert.deepEqual(await page(`?limit=2&after=${ids[1]}`), ['23', true, true]);
    assert.deepEqual(await page(`?limit=2&after=${ids[3]}`), ['45', true, false]);
    assert.deepEqual(await page(`?limit=4&around=${ids[2]}`), ['1234', true, true]);
    assert.deepEqual(await page(`?limit=40&around=${ids[2]}`), ['012345', false, false]);
    assert.deepEqual(await page(`?after=${ids[5]}`), ['', true, false]);
    for (const query of ['?before=x', `?before=${ids[1]}&after=${ids[1]}`, '?limit=0']) {
      const { status, body } = await aisha.at('GET', `/conversations/${conversation_id}/thread${query}`);
      assert.deepEqual([status, body.code], [422, 'unprocessable_content'], query);
    }
  });

  it('names who wrote each message, and quotes the message that it answers', async () => {
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    await send(conversation_id, { kind: 'text', body: 'x'.repeat(300), reply_to_id: message_id });
    await aisha.at('POST', `/conversations/${conversation_id}/notes`, { body: 'Call her' });
    await workspace.api.post(`/conversations/${conversation_id}/messages`, { kind: 'text', body: 'By the shop' });
    const [first, second, note, third] = await messagesOf(conversation_id);
    assert.deepEqual([first!.actor_kind, first!.actor_name, first!.quoted], ['contact', undefined, undefined]);
    assert.deepEqual([second!.actor_name, second!.actor_id], ['Aisha', aisha.user_id]);
    assert.deepEqual(second!.quoted, { id: message_id, direction: 'inbound', kind: 'text', body: 'Hello' });
    assert.deepEqual([note!.kind, note!.actor_name], ['note', 'Aisha']);
    assert.equal(third!.actor_name, undefined);
    await send(conversation_id, { kind: 'text', body: 'Again', reply_to_id: second!.id });
    const { quoted } = (await messagesOf(conversation_id)).at(-1)!;
    assert.equal(quoted!.body, 'x'.repeat(200));
  });

  it('shows a template with its header, its footer and its buttons', async () => {
    const template = { name: 'with_parts', language: 'en', category: 'utility' };
    const own = await majlis.workspace({
      templates: [
        {
          ...template,
          status: 'approved',
          components: [
            { type: 'header', format: 'text', text: 'Order {{1}}', examples: ['A-0'] },
            { type: 'body', text: 'Dear {{1}}', examples: ['Muna'] },
            { type: 'footer', text: 'Acme' },
            { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'Thanks' }] },
          ],
        },
      ],
    });
    const owner = await joinWorkspace(majlis, own);
    const named = { name: template.name, language: template.language };
    const { status, body } = await own.api.post('/messages', {
      to: newDigits(),
      kind: 'template',
      template: { ...named, params: ['A-1', 'Muna'] },
    });
    assert.equal(status, 201, JSON.stringify(body));
    const [message] = (await thread(body.conversation_id, '', owner)).data as ThreadMessage[];
    assert.equal(message!.body, 'Dear Muna');
    assert.deepEqual(message!.template, { ...named, header: 'Order A-1', footer: 'Acme', buttons: ['Thanks'] });
  });

  it('shows choices, what was tapped, places and reactions as they are', async () => {
    const digits = newDigits();
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, digits);
    const buttons = [
      { id: 'yes', title: 'نعم' },
      { id: 'no', title: 'لا' },
    ];
    await send(conversation_id, { kind: 'interactive', body: 'Ok?', interactive: { type: 'buttons', buttons } });
    const place = { latitude: 23.5, longitude: 58.4, name: 'Souq' };
    await send(conversation_id, { kind: 'location', location: place });
    await send(conversation_id, { kind: 'reaction', body: '👍', reply_to_id: message_id });
    const receive = messageReceiver(majlis, workspace);
    const reply = { type: 'button_reply', button_reply: buttons[0] };
    await receive(digits, 'interactive', reply);
    await receive(digits, 'location', { latitude: 1.5, longitude: 2.5, address: 'Street 1' });
    const [, asked, sent, reaction, tapped, received] = await messagesOf(conversation_id);
    assert.deepEqual(asked!.interactive, { type: 'buttons', choices: buttons });
    assert.deepEqual(sent!.location, place);
    assert.deepEqual(reaction!.reaction, { emoji: '👍', message_id });
    assert.equal(reaction!.quoted, undefined);
    assert.deepEqual([tapped!.tapped, tapped!.body], [buttons[0], 'نعم']);
    assert.deepEqual(received!.location, { latitude: 1.5, longitude: 2.5, address: 'Street 1' });
  });

  it('says by a code why a message failed', async () => {
    const { conversation_id, contact_id } = await receiveMessage(majlis, workspace, '96890131026');
    await write(conversation_id, 'To nobody');
    const failed = (place: number) =>
      eventually(
        async () => (await messagesOf(conversation_id)).at(place),
        (message) => message?.status === 'failed',
      );
    assert.equal((await failed(1))!.error_code, '131026');
    const pause = `insert into job_groups select 'messages.deliver_message', id, 'infinity' from channels`;
    await majlis.sql(pause);
    await write(conversation_id, 'Too late');
    const owner = await joinWorkspace(majlis, workspace);
    await owner.at('PATCH', `/contacts/${contact_id}`, { blocked: true });
    await majlis.sql('delete from job_groups');
    assert.equal((await failed(2))!.error_code, 'contact_blocked');
  });

  it('reads named messages again, of this conversation alone', async () => {
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    const other = await receiveMessage(majlis, workspace, newDigits());
    const { id } = await write(conversation_id, 'Hello');
    const read = (ids: string[]) => aisha.at('GET', `/conversations/${conversation_id}/thread/messages?ids=${ids}`);
    const { body } = await eventually(
      () => read([id, message_id, other.message_id, 'x']),
      (answer) => answer.body.data[1]?.status === 'read',
    );
    assert.deepEqual(
      body.data.map((message: ThreadMessage) => message.id),
      [message_id, id],
    );
    const many = await read(Array.from({ length: 101 }, (_, n) => `msg_${n}`));
    assert.deepEqual([many.status, many.body.errors[0].pointer], [422, '/ids']);
  });

  it('is hidden from an agent of own teams, until the conversation is theirs', async () => {
    const owner = await joinWorkspace(majlis, workspace);
    const limited = await joinWorkspace(majlis, workspace, { role: 'agent' });
    await owner.at('PATCH', `/members/${limited.user_id}`, { own_teams_only: true });
    const { conversation_id, message_id } = await receiveMessage(majlis, workspace, newDigits());
    const assign = (assignee_id: string | null) =>
      owner.at('POST', `/conversations/${conversation_id}/assign`, { assignee_id });
    const path = `/conversations/${conversation_id}/thread`;
    const statuses = async () =>
      Promise.all(
        [path, `${path}/messages?ids=${message_id}`].map(async (one) => (await limited.at('GET', one)).status),
      );
    await assign(null);
    assert.deepEqual(await statuses(), [404, 404]);
    await assign(limited.user_id);
    assert.deepEqual(await statuses(), [200, 200]);
  });

  it('ends with the erasure of the contact, and moves whole to the contact of a merge', async () => {
    const owner = await joinWorkspace(majlis, workspace);
    const kept = await receiveMessage(majlis, workspace, newDigits());
    const gone = await receiveMessage(majlis, workspace, newDigits());
    const merge = { source_contact_id: gone.contact_id };
    assert.equal((await owner.at('POST', `/contacts/${kept.contact_id}/merge`, merge)).status, 200);
    const [moved] = await messagesOf(gone.conversation_id);
    assert.equal(moved!.actor_id, kept.contact_id);
    assert.equal((await owner.at('DELETE', `/contacts/${kept.contact_id}`)).status, 204);
    for (const { conversation_id } of [kept, gone]) {
      assert.equal((await aisha.at('GET', `/conversations/${conversation_id}/thread`)).status, 404);
    }
  });
});
