import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { AnyJson } from '@majlis/testing/json';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import {
  type ChannelCredentials,
  platformText,
  postNotification,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { seededRandom } from '@majlis/testing/seeded-random';
import { startTestService } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

// The platform gives a person one user id for each portfolio of accounts. A workspace with numbers of two portfolios knows the person
// by both, and as one contact.

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;
const second = {
  ...{ phone_number_id: `55${newDigits()}`, waba_id: `66${newDigits()}`, access_token: 'token-of-the-second' },
  ...{ app_secret: 'secret-of-the-second', verify_token: 'verify-of-the-second' },
};
majlis.simulator.addNumber({ ...second, display_phone: '+96880000002', verified_name: 'Acme' });
const { body: applied } = await majlis.operator('PUT', '/workspaces', {
  workspace: { name: workspace.applied.workspace.name },
  channels: [{ type: 'chatapp', name: 'Sales', display_phone: '+96880000002', ...second }],
});
const second_id = applied.channels.find(({ id }: AnyJson) => id !== workspace.channel_id).id;
const portfolios: readonly ChannelCredentials[] = [workspace, second];

interface Person {
  number: string;
  /** By portfolio. */
  ids: readonly [string, string];
}

const newId = () => `OM.${newDigits()}77`;
const newPerson = (): Person => ({ number: newDigits(), ids: [newId(), newId()] });

type Names = Partial<Record<'number' | 'user_id', string>>;
type Portfolio = 0 | 1;

const inBoth = ({ number, ids }: Person, side: Portfolio): Names => ({ number, user_id: ids[side] });
const hidden = ({ ids }: Person, side: Portfolio): Names => ({ user_id: ids[side] });

async function write(side: Portfolio, { number, user_id }: Names): Promise<void> {
  const message = platformText(number ?? '', 'Hello', { ...(user_id && { from_user_id: user_id }) });
  if (!number) delete message.from;
  const contact = { profile: { name: 'Muna' }, ...(number && { wa_id: number }), ...(user_id && { user_id }) };
  await postNotification(majlis, portfolios[side]!, { contacts: [contact], messages: [message] });
  await untilNotificationsProcessed(majlis);
}

async function report(side: Portfolio, before: Person, after: Person): Promise<void> {
  const type = before.number === after.number ? 'user_changed_user_id' : 'user_changed_number';
  const ids = { previous_user_id: before.ids[side], user_id: after.ids[side] };
  const notice = {
    ...{ id: `wamid.${randomUUID()}`, timestamp: String(Math.floor(Date.now() / 1000)), type: 'system' },
    ...{ from: before.number, from_user_id: before.ids[side] },
    system: { type, body: 'changed', wa_id: after.number, ...ids },
  };
  await postNotification(majlis, portfolios[side]!, { messages: [notice] });
  await untilNotificationsProcessed(majlis);
}

/** Everybody for whom one of the names stands, by any door. */
async function contactsOf({ number, ids }: Person): Promise<string[]> {
  const found = new Set<string>();
  for (const identifier of [`+${number}`, ...ids]) {
    const { body } = await api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier }] });
    found.add(body.id);
    const { data } = (await api.get(`/contacts?q=${encodeURIComponent(identifier)}`)).body;
    for (const { id } of data) found.add(id);
  }
  return [...found];
}

async function assertOne(person: Person): Promise<void> {
  assert.equal((await contactsOf(person)).length, 1, JSON.stringify(person));
}

describe('a customer of numbers that belong to two portfolios', () => {
  it('is one contact by the user id of each', async () => {
    const person = newPerson();
    await write(0, inBoth(person, 0));
    await write(1, inBoth(person, 1));
    await write(1, hidden(person, 1));
    await write(0, hidden(person, 0));
    await assertOne(person);
  });

  it('who hid the number at both is joined once it shows', async () => {
    const person = newPerson();
    await write(0, hidden(person, 0));
    await write(1, hidden(person, 1));
    await write(0, inBoth(person, 0));
    await write(1, inBoth(person, 1));
    await assertOne(person);
  });

  it('who gives the number at the second keeps the user id of each', async () => {
    const person = newPerson();
    await write(0, inBoth(person, 0));
    await write(1, hidden(person, 1));
    const { from: _, ...message } = platformText('', '', { from_user_id: person.ids[1] });
    const phones = [{ phone: `+${person.number}`, wa_id: person.number }];
    const card = { origin: 'contact_request', name: { formatted_name: 'Muna' }, phones };
    await postNotification(majlis, second, {
      contacts: [{ profile: { name: 'Muna' }, user_id: person.ids[1] }],
      messages: [{ ...message, type: 'contacts', text: undefined, contacts: [card] }],
    });
    await untilNotificationsProcessed(majlis);
    await assertOne(person);
    const [{ identities }] = (await api.get(`/contacts?q=${person.number}`)).body.data;
    assert.deepEqual(
      identities.map(({ identifier }: AnyJson) => identifier).sort(),
      [`+${person.number}`, person.ids[1]].sort(),
    );
  });

  it('is answered by the user id of the portfolio of each channel', async () => {
    const person = newPerson();
    await write(0, hidden(person, 0));
    await write(1, hidden(person, 1));
    const [first, other] = await Promise.all(
      person.ids.map(async (identifier) => {
        const { data } = (await api.get(`/contacts?q=${identifier}`)).body;
        return data[0].id as string;
      }),
    );
    assert.equal((await api.post(`/contacts/${first}/merge`, { source_contact_id: other })).status, 200);
    const channels = [workspace.channel_id, second_id];
    const sent = await Promise.all(
      channels.map((channel_id) => api.post('/messages', { contact_id: first, channel_id, kind: 'text', body: 'Hi' })),
    );
    assert.deepEqual(
      sent.map(({ status }) => status),
      [201, 201],
      JSON.stringify(sent.map(({ body }) => body)),
    );
    await untilDispatched(majlis);
    const rows = await majlis.sql<{ recipient: string }>(
      `select m.recipient from messages m where m.direction = 'outbound' and m.recipient = any ($1) and m.status <> 'failed'
       order by m.channel_id = $2 desc`,
      [person.ids, parseId('channel', workspace.channel_id)],
    );
    assert.deepEqual(
      rows.map(({ recipient }) => recipient),
      person.ids,
    );
  });

  for (const [said, order] of [
    ['the first', [0, 1]],
    ['the second', [1, 0]],
  ] as const) {
    it(`with a new number stays one, whose portfolio reports first: ${said}`, async () => {
      const [before, after] = [newPerson(), newPerson()];
      for (const side of [0, 1] as const) await write(side, inBoth(before, side));
      for (const side of order) await report(side, before, after);
      for (const side of [0, 1] as const) await write(side, hidden(after, side));
      await assertOne(after);
      const [contact] = await contactsOf(after);
      const stranger = { number: before.number, ids: newPerson().ids };
      for (const side of [0, 1] as const) await write(side, inBoth(stranger, side));
      await assertOne(stranger);
      assert.notDeepEqual(await contactsOf(stranger), [contact]);
    });
  }

  it('in any sequence is neither split nor joined with another', async () => {
    const random = seededRandom(46);
    const people = Array.from({ length: 12 }, newPerson);
    const isSeen = people.map(() => [false, false]);
    for (let step = 0; step < 200; step++) {
      const place = random.between(0, people.length - 1);
      const person = people[place]!;
      const side = random.pick([0, 1] as const);
      const act = random.next();
      if (act < 0.15)
        await api.post('/contacts', { identities: [{ channel_type: 'chatapp', identifier: `+${person.number}` }] });
      else if (act < 0.45) await write(side, hidden(person, side));
      else if (act < 0.75 || !isSeen[place]!.every(Boolean)) {
        await write(side, inBoth(person, side));
        isSeen[place]![side] = true;
      } else if (act < 0.9) {
        const next = newPerson();
        for (const one of random.pick([
          [0, 1],
          [1, 0],
        ] as const)) {
          await report(one, person, next);
          if (random.next() < 0.3) await write(one, random.pick([hidden, inBoth])(next, one));
        }
        people[place] = next;
      } else {
        const ids = person.ids.map((id, one) => (one === side ? newId() : id)) as [string, string];
        await report(side, person, { ...person, ids });
        people[place] = { ...person, ids };
      }
    }
    const all = new Set<string>();
    for (const person of people) {
      for (const side of [0, 1] as const) await write(side, inBoth(person, side));
      const contacts = await contactsOf(person);
      assert.equal(contacts.length, 1, JSON.stringify(person));
      all.add(contacts[0]!);
    }
    assert.equal(all.size, people.length);
  });
});
