import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits } from '@majlis/testing/messages';
import {
  platformStatus,
  platformText,
  postNotification,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';
import { publicId } from '../src/database/ids.ts';

// A person whom the platform names by a number, by a user id or by both is one contact, by whichever door one asks.

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;

interface Person {
  number: string;
  user_id: string;
}

const newPerson = (): Person => ({ number: newDigits(), user_id: `OM.${newDigits()}77` });
const template = { name: 'order_update', language: 'en', params: ['a', 'b'] };

/** A message that names the person by these ids. */
async function write({ number, user_id }: Partial<Person>, body = 'Hello', more: AnyJson = {}): Promise<void> {
  const message = platformText(number ?? '', body, { ...(user_id && { from_user_id: user_id }), ...more });
  if (!number) delete message.from;
  const contact = { profile: { name: 'Muna' }, ...(number && { wa_id: number }), ...(user_id && { user_id }) };
  await postNotification(majlis, workspace, { contacts: [contact], messages: [message] });
  await untilNotificationsProcessed(majlis);
}

async function change(from: Partial<Person>, to: Partial<Person>, type: string): Promise<void> {
  const system = {
    ...{ type, body: 'changed' },
    ...(to.number && { wa_id: to.number }),
    ...(to.user_id && { user_id: to.user_id, previous_user_id: from.user_id }),
  };
  const named = { ...(from.number && { from: from.number }), ...(from.user_id && { from_user_id: from.user_id }) };
  const notice = {
    id: `wamid.${randomUUID()}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: 'system',
    system,
  };
  await postNotification(majlis, workspace, { messages: [{ ...named, ...notice }] });
  await untilNotificationsProcessed(majlis);
}

const found = async (q: string): Promise<AnyJson[]> =>
  (await api.get(`/contacts?q=${encodeURIComponent(q)}`)).body.data;
const upsert = (identifier: string, more: object = {}) =>
  api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier }], ...more });
/** The contacts in whose conversations these texts stand. */
async function writersOf(...bodies: string[]): Promise<string[]> {
  const rows = await majlis.sql<{ contact_id: string }>(
    `select c.contact_id from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
     where m.body = any ($1) order by array_position($1, m.body)`,
    [bodies],
  );
  return rows.map(({ contact_id }) => publicId('contact', contact_id));
}
const identifiersOf = ({ identities }: AnyJson): string[] =>
  identities.map(({ identifier }: AnyJson) => identifier).sort();

describe('a customer whose number was hidden', () => {
  it('has the number as an identity once it shows, for every door', async () => {
    const { number, user_id } = newPerson();
    await write({ user_id });
    await write({ number, user_id });
    const [contact, ...others] = await found(`+${number}`);
    assert.deepEqual(others, []);
    assert.deepEqual(identifiersOf(contact!), [`+${number}`, user_id].sort());
    assert.equal((await found(user_id))[0]!.id, contact!.id);
    for (const identifier of [`+${number}`, user_id]) {
      const { status, body } = await upsert(identifier);
      assert.deepEqual([status, body.id], [200, contact!.id]);
      assert.deepEqual(identifiersOf(body), [`+${number}`, user_id].sort());
    }
    const { body: sent } = await api.post('/messages', { to: `+${number}`, kind: 'text', body: 'Hi' });
    assert.equal((await api.get(`/conversations/${sent.conversation_id}`)).body.contact_id, contact!.id);
  });

  it('is found by the whole user id or a part, and not by the letters of the country', async () => {
    const name = `Muna ${newDigits()}`;
    const { user_id } = newPerson();
    const omani = newPerson();
    await write({ user_id });
    await write(omani);
    await upsert(user_id, { name });
    for (const q of [user_id, user_id.toLowerCase(), user_id.slice(0, -1), user_id.slice(3)]) {
      assert.deepEqual(
        (await found(q)).map((contact) => contact.name),
        [name],
        q,
      );
    }
    for (const q of ['om', 'OM.']) assert.deepEqual(await found(q), [], q);
  });

  it('is one with the contact that was made by the number', async () => {
    const { number, user_id } = newPerson();
    const { body: made } = await upsert(`+${number}`, { tags: ['vip'], consents: { chatapp_marketing: true } });
    await write({ user_id }, 'Hidden');
    assert.equal((await found(user_id)).length, 1);
    await write({ number, user_id }, 'Shown');
    const [contact, ...others] = await found(user_id);
    assert.deepEqual(others, []);
    assert.deepEqual([contact!.id, contact!.tags], [made.id, ['vip']]);
    assert.deepEqual(identifiersOf(contact!), [`+${number}`, user_id].sort());
    const { status, body } = await upsert(`+${number}`, { tags: ['gold'] });
    assert.deepEqual([status, body.id], [200, made.id]);
    const imported = await api.post('/contacts/import', {
      contacts: [{ identities: [{ channel_type: 'chatapp', identifier: user_id }], language: 'ar' }],
    });
    assert.deepEqual(imported.body, { created: 0, updated: 1, failed: [] });
    assert.equal((await api.get(`/contacts/${made.id}`)).body.language, 'ar');
    const sent = await api.post('/messages', { to: `+${number}`, kind: 'text', body: 'Answer' });
    assert.equal(sent.status, 201, sent.text);
    const { data } = (await api.get(`/conversations/${sent.body.conversation_id}/messages`)).body;
    assert.deepEqual(data.map(({ body: text }: AnyJson) => text).sort(), ['Answer', 'Hidden', 'Shown']);
  });

  it('has the number once the status of a message names both, also where a contact stands for the number', async () => {
    for (const isMade of [false, true]) {
      const { number, user_id } = newPerson();
      await write({ user_id });
      const [contact] = await found(user_id);
      if (isMade) assert.equal((await upsert(`+${number}`)).status, 201);
      const [conversation] = (await api.get(`/conversations?contact_id=${contact!.id}`)).body.data;
      const sent = await api.post(`/conversations/${conversation.id}/messages`, { kind: 'text', body: 'Hi' });
      const status = platformStatus(`wamid.${randomUUID()}`, 'delivered', {
        ...{ recipient_id: number, recipient_user_id: user_id, biz_opaque_callback_data: sent.body.id },
      });
      await postNotification(majlis, workspace, { statuses: [status], contacts: [{ wa_id: number, user_id }] });
      await untilNotificationsProcessed(majlis);
      const [known, ...others] = await found(`+${number}`);
      assert.deepEqual(others, []);
      assert.deepEqual(identifiersOf(known!), [`+${number}`, user_id].sort());
      assert.equal((await found(user_id))[0]!.id, known!.id);
      const text = await api.post('/messages', { to: `+${number}`, kind: 'text', body: 'In the window' });
      assert.equal(text.status, 201, JSON.stringify(text.body));
    }
  });

  it('is not joined with one who has another user id', async () => {
    const [one, two] = [newPerson(), newPerson()];
    await write(one);
    await write({ user_id: two.user_id });
    await write({ number: one.number, user_id: two.user_id });
    const [first] = await found(one.user_id);
    const [second] = await found(two.user_id);
    assert.notEqual(first!.id, second!.id);
  });
});

describe('a change of the number or the user id', () => {
  it('that is reported after the first message by the new ones joins both', async () => {
    const [before, after] = [newPerson(), newPerson()];
    await write(before);
    const [contact] = await found(before.user_id);
    await write(after);
    await change(before, after, 'user_changed_number');
    const [now, ...others] = await found(after.user_id);
    assert.deepEqual([now!.id, others], [contact!.id, []]);
    assert.deepEqual(identifiersOf(now!), [`+${after.number}`]);
    // The number is a stranger's by now.
    const stranger = { number: before.number, user_id: newPerson().user_id };
    await write(stranger);
    assert.notEqual((await found(stranger.user_id))[0]!.id, contact!.id);
  });

  it('takes the number from who had it before, so that nobody writes into the conversation of another', async () => {
    for (const isSwap of [false, true]) {
      const [one, other] = [newPerson(), newPerson()];
      await write(one);
      await write(other);
      const [first, second] = [(await found(one.user_id))[0]!.id, (await found(other.user_id))[0]!.id];
      const after = { number: other.number, user_id: newPerson().user_id };
      const swapped = { number: one.number, user_id: newPerson().user_id };
      await change(one, after, 'user_changed_number');
      if (isSwap) await change(other, swapped, 'user_changed_number');
      await write(after, `${after.user_id} writes`);
      await write(isSwap ? swapped : { user_id: other.user_id }, `${other.user_id} writes`);
      assert.deepEqual(await writersOf(`${after.user_id} writes`, `${other.user_id} writes`), [first, second]);
      assert.deepEqual(
        (await found(after.number)).map(({ id }) => id),
        [first],
      );
      const left = (await api.get(`/contacts/${second}`)).body;
      assert.deepEqual(identifiersOf(left), [isSwap ? `+${one.number}` : other.user_id]);
    }
  });

  it('leaves the former user id a name of the person', async () => {
    const [before, after] = [newPerson(), newPerson()];
    await write({ user_id: before.user_id });
    const [contact] = await found(before.user_id);
    await change({ user_id: before.user_id }, { user_id: after.user_id }, 'user_changed_user_id');
    await write({ user_id: before.user_id }, 'Late');
    assert.equal((await found(after.user_id))[0]!.id, contact!.id);
    const [{ count } = { count: 0 }] = await majlis.sql<{ count: number }>(
      `select count(*)::int as count from messages m join conversations c on c.id = m.conversation_id
       join contact_identities i on i.contact_id = c.contact_id where i.user_id = $1`,
      [after.user_id],
    );
    assert.equal(count, 2);
  });

  it('in any sequence splits and joins nobody', async () => {
    const random = seededRandom(38);
    const count = async () =>
      (await majlis.sql<{ count: number }>('select count(*)::int as count from contacts'))[0]!.count;
    const before = await count();
    const people = Array.from({ length: 12 }, newPerson);
    const isKnown = people.map(() => false);
    const isSeen = people.map(() => false);
    for (let step = 0; step < 160; step++) {
      const place = random.between(0, people.length - 1);
      const person = people[place]!;
      const act = random.next();
      if (act < 0.3 && isKnown[place]) await upsert(`+${person.number}`);
      else if (act < 0.5 && isKnown[place]) await write({ user_id: person.user_id });
      else if (act < 0.65 && !isKnown[place]) {
        // The platform tells the change before the first message, and perhaps the next message before that.
        const next = random.pick([newPerson(), { ...person, user_id: newPerson().user_id }]);
        await change(person, next, next.number === person.number ? 'user_changed_user_id' : 'user_changed_number');
        if (random.next() < 0.5) await write(next);
        await write(person, 'Late', { timestamp: String(Math.floor(Date.now() / 1000) - 60) });
        people[place] = next;
        isSeen[place] = true;
      } else if (act < 0.8 || !isSeen[place]) {
        await write(person);
        isSeen[place] = true;
      } else {
        const next = random.pick([newPerson(), { ...person, user_id: newPerson().user_id }]);
        await change(person, next, next.number === person.number ? 'user_changed_user_id' : 'user_changed_number');
        people[place] = next;
      }
      isKnown[place] = true;
    }
    const ids = new Set<string>();
    for (const person of people) {
      await write(person);
      const by = await Promise.all([upsert(`+${person.number}`), upsert(person.user_id)]);
      const sent = await api.post('/messages', { to: `+${person.number}`, kind: 'template', template });
      const { contact_id } = (await api.get(`/conversations/${sent.body.conversation_id}`)).body;
      const all = new Set([...by.map(({ body }) => body.id), contact_id]);
      assert.equal(all.size, 1, JSON.stringify(person));
      for (const id of all) ids.add(id);
    }
    assert.equal(ids.size, people.length);
    assert.equal(await count(), before + people.length);
  });
});
