import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import { platformText, postNotification, untilNotificationsProcessed } from '@majlis/testing/notifications';
import { joinWorkspace, type Member } from '@majlis/testing/people';
import { startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// A customer who has a user id alone is asked for the number, and gives it (platform-2026, row 8).
const platform = await startScriptedPlatform();
const majlis = await startTestService({ env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off' } });
let workspace: TestWorkspace;
let badr: Member;
before(async () => {
  workspace = await majlis.workspace();
  badr = await joinWorkspace(majlis, workspace, { role: 'admin' });
});

type Json = Record<string, unknown>;
const newPerson = () => ({ number: newDigits(), user_id: `OM.${newDigits()}77` });
const found = async (q: string): Promise<AnyJson[]> =>
  (await workspace.api.get(`/contacts?q=${encodeURIComponent(q)}`)).body.data;
const identifiersOf = ({ identities }: AnyJson): string[] =>
  identities.map(({ identifier }: AnyJson) => identifier).sort();

/** A message of somebody who hides the number. */
function hidden(user_id: string, more: Json = {}): Json {
  const { from: _, ...message } = platformText('', 'Hello', { from_user_id: user_id, ...more });
  return message;
}
const card = (user_id: string, number: string, origin: string, more: Json = {}): Json => ({
  ...hidden(user_id, more),
  ...{ type: 'contacts', text: undefined },
  contacts: [{ origin, name: { formatted_name: 'Muna' }, phones: [{ phone: `+${number}`, wa_id: number }] }],
});
async function post(user_id: string, ...messages: Json[]): Promise<void> {
  await postNotification(majlis, workspace, { contacts: [{ profile: { name: 'Muna' }, user_id }], messages });
  await untilNotificationsProcessed(majlis);
}
const conversationsOf = async (contact_id: string): Promise<AnyJson[]> =>
  (await workspace.api.get(`/conversations?contact_id=${contact_id}`)).body.data;
const linesOf = async (id: string): Promise<Json[]> =>
  (await badr.at('GET', `/conversations/${id}/thread`)).body.data.filter(({ kind }: Json) => kind === 'number_given');

async function setScene() {
  const person = newPerson();
  await post(person.user_id, hidden(person.user_id));
  const [contact] = await found(person.user_id);
  const [conversation] = await conversationsOf(contact!.id);
  return { ...person, contact: contact!, conversation: conversation!.id as string };
}

describe('the question for the number', () => {
  it('reaches the platform in its shape, with the text of the sender', async () => {
    const { conversation, user_id } = await setScene();
    const path = `/conversations/${conversation}/messages`;
    const asked = { kind: 'interactive', body: 'Your number?', interactive: { type: 'request_contact_info' } };
    const { status, body } = await workspace.api.post(path, asked);
    assert.equal(status, 201, JSON.stringify(body));
    await untilDispatched(majlis);
    const { body: sent } = platform.calls.at(-1)!;
    assert.equal(sent.recipient, user_id);
    assert.deepEqual(sent.interactive, {
      type: 'request_contact_info',
      body: { text: 'Your number?' },
      action: { name: 'request_contact_info' },
    });
    const { data } = (await badr.at('GET', `/conversations/${conversation}/thread`)).body;
    assert.deepEqual(data.find(({ id }: Json) => id === body.id).interactive, {
      type: 'request_contact_info',
      choices: [],
    });
  });

  it('is refused without a text', async () => {
    const { conversation } = await setScene();
    const asked = { kind: 'interactive', interactive: { type: 'request_contact_info' } };
    const { status, body } = await workspace.api.post(`/conversations/${conversation}/messages`, asked);
    assert.deepEqual([status, body.errors[0].pointer], [422, '/body']);
  });
});

describe('the answer', () => {
  it('makes the number an identity of the same contact, and says so in the thread, once', async () => {
    const { number, user_id, contact, conversation } = await setScene();
    const answer = card(user_id, number, 'contact_request');
    await post(user_id, answer);
    await post(user_id, answer);
    const { body } = await workspace.api.get(`/contacts/${contact.id}`);
    assert.deepEqual(identifiersOf(body), [`+${number}`]);
    assert.equal((await workspace.api.get(`/conversations/${conversation}`)).body.contact_handle, `+${number}`);
    assert.equal((await linesOf(conversation)).length, 1);
    await postNotification(majlis, workspace, { messages: [platformText(number, 'By the number')] });
    await post(user_id, hidden(user_id, { text: { body: 'By the user id' } }));
    assert.equal((await conversationsOf(contact.id)).length, 1);
    assert.deepEqual(
      [await found(`+${number}`), await found(user_id)].map((list) => list.map(({ id }) => id)),
      [[contact.id], [contact.id]],
    );
    const { data } = (await workspace.api.get(`/conversations/${conversation}/messages`)).body;
    assert.equal(data.length, 4);
    await workspace.api.post(`/conversations/${conversation}/messages`, { kind: 'text', body: 'Thank you' });
    await untilDispatched(majlis);
    assert.equal(platform.calls.at(-1)!.body.to, `+${number}`);
  });

  it('is no number of a customer who sends a card of somebody', async () => {
    const { number, user_id, contact, conversation } = await setScene();
    await post(user_id, card(user_id, number, 'other'));
    assert.deepEqual(identifiersOf((await workspace.api.get(`/contacts/${contact.id}`)).body), [user_id]);
    assert.deepEqual(await linesOf(conversation), []);
  });

  it('is the first number that is whole, in the ways in which people and the platform write one', async () => {
    const cases: [(number: string) => Json[], boolean][] = [
      [(number) => [{ phone: 'home' }, { phone: `+${number.slice(0, 3)} ${number.slice(3)}` }], true],
      [(number) => [{ phone: '9990 0006' }, { wa_id: number }], true],
      [(number) => [{ phone: `00${number}` }, { wa_id: newDigits() }], true],
      // Without its country it may be a number of somebody else.
      [() => [{ phone: '9990 0006' }], false],
    ];
    for (const [phonesOf, is_whole] of cases) {
      const { number, user_id, contact } = await setScene();
      const answer = card(user_id, number, is_whole ? 'CONTACT_REQUEST' : 'contact_request');
      const [asked] = answer.contacts as Json[];
      await post(user_id, { ...answer, contacts: [{ ...asked, phones: phonesOf(number) }] });
      const { body } = await workspace.api.get(`/contacts/${contact.id}`);
      assert.deepEqual(identifiersOf(body), [is_whole ? `+${number}` : user_id]);
    }
  });

  it('joins the contact that was made by the number alone', async () => {
    const { number, user_id } = await setScene();
    const identities = [{ channel_type: 'chatapp', identifier: `+${number}` }];
    const { body: made } = await workspace.api.post('/contacts', { identities, tags: ['vip'] });
    await post(user_id, card(user_id, number, 'contact_request'));
    const [contact, ...others] = await found(user_id);
    assert.deepEqual(others, []);
    assert.deepEqual([contact!.id, contact!.tags], [made.id, ['vip']]);
    assert.deepEqual(
      (await found(`+${number}`)).map(({ id }) => id),
      [made.id],
    );
    await post(user_id, hidden(user_id, { text: { body: 'Still the same' } }));
    assert.equal((await conversationsOf(made.id)).length, 1);
  });

  it('leaves the number with a contact that is known as another person', async () => {
    const { number, user_id, contact } = await setScene();
    const other = newPerson();
    const named = { ...platformText(number, 'Mine'), from_user_id: other.user_id };
    await postNotification(majlis, workspace, {
      contacts: [{ profile: { name: 'Salim' }, wa_id: number, user_id: other.user_id }],
      messages: [named],
    });
    await untilNotificationsProcessed(majlis);
    await post(user_id, card(user_id, number, 'contact_request'));
    assert.deepEqual(identifiersOf((await workspace.api.get(`/contacts/${contact.id}`)).body), [user_id]);
    const [salim] = await found(other.user_id);
    assert.deepEqual(identifiersOf(salim!), [`+${number}`]);
  });

  it('that comes late says nothing of a customer who has another number by now', async () => {
    const { number, user_id, contact } = await setScene();
    const at = Math.floor(Date.now() / 1000);
    await post(user_id, card(user_id, number, 'contact_request', { timestamp: String(at - 60) }));
    const next = newPerson();
    const system = { type: 'user_changed_number', body: 'changed', wa_id: next.number, user_id: next.user_id };
    const notice = { ...platformText(number, ''), from_user_id: user_id, type: 'system', text: undefined, system };
    await postNotification(majlis, workspace, { messages: [notice] });
    await post(user_id, card(user_id, number, 'contact_request', { timestamp: String(at - 30) }));
    assert.deepEqual(identifiersOf((await workspace.api.get(`/contacts/${contact.id}`)).body), [`+${next.number}`]);
  });
});
