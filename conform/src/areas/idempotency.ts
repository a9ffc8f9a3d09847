import { operations } from '@majlis/contract';
import { describeAnswer } from '../answer.ts';
import { defineArea } from '../clause.ts';
import { eraseAtEnd, makeContact } from '../contacts.ts';
import { drawNumber } from '../draw-number.ts';
import { idempotent, ownFault, refused, type Session, shared, succeed } from '../session.ts';
import { assertSame, assertThat, Broken, NotChecked } from '../verdict.ts';

export const idempotency = defineArea('idempotency', [
  [
    'same_result',
    'Repeating the same key with the same body returns the original result.',
    async (session) => {
      const { first, second } = await ownFault(writeTwice(session));
      assertSame([second.status, second.body], [first.status, first.body], 'the first answer:');
    },
  ],
  [
    'acts_once',
    'Repeating the same key with the same body acts once.',
    async (session) => {
      const { tag, ids } = await writeAtOnce(session);
      assertSame(ids.length, 1, 'contacts that equal writes at once have made:');
      const { data } = await succeed(session, 'listContacts', { query: { tag } });
      assertSame(
        data.map(({ id }) => id),
        ids,
        'the one contact of the write:',
      );
    },
  ],
  [
    'keeps_result',
    'The original result is returned, whatever happened since.',
    async (session) => {
      const { first, body, headers } = await writeTwice(session);
      const { id } = first.body as { id: string };
      await succeed(session, 'updateContact', { params: { contact_id: id }, body: { name: `${session.mark} since` } });
      const third = await session.client.call(operations.upsertContact, { body, headers });
      assertSame([third.status, third.body], [first.status, first.body], 'the first answer:');
      const { name } = await succeed(session, 'getContact', { params: { contact_id: id } });
      assertSame(name, `${session.mark} since`, 'the name, which a repetition does not set again:');
    },
  ],
  [
    'conflict',
    'Repeating it with a different body fails with 409 idempotency_conflict.',
    async (session) => {
      const { body, headers } = await writeTwice(session);
      const different = { ...body, name: `${session.mark} different` };
      await refused(session, 'upsertContact', { body: different, headers }, [409], 'idempotency_conflict');
    },
  ],
  [
    'get_ignores',
    'GET ignores the header.',
    async (session) => {
      const headers = idempotent();
      for (const contact of [await makeContact(session), await makeContact(session)]) {
        const { id } = await succeed(session, 'getContact', { params: { contact_id: contact.id }, headers });
        assertSame(id, contact.id, 'the contact that was asked for:');
      }
    },
  ],
]);

function writeTwice(session: Session) {
  return shared(session, 'write that was repeated', async () => {
    const headers = idempotent();
    const body = { name: session.mark, identities: [{ channel_type: 'chatapp', identifier: drawNumber(session) }] };
    const write = () => session.client.call(operations.upsertContact, { body, headers });
    const first = await write();
    if (first.status === 403) throw new NotChecked('the key may not write contacts: 403');
    if (first.status === 201) eraseAtEnd(session, (first.body as { id: string }).id);
    if (![200, 201].includes(first.status)) throw new Broken('201 on POST /v1/contacts', describeAnswer(first));
    return { first, second: await write(), body, headers };
  });
}

async function writeAtOnce(session: Session) {
  const headers = idempotent();
  const tag = `${session.mark}-once`;
  const identities = [{ channel_type: 'chatapp', identifier: drawNumber(session) }];
  const body = { name: session.mark, tags: [tag], identities };
  const write = () => session.client.call(operations.upsertContact, { body, headers });
  const answers = await Promise.all(Array.from({ length: 5 }, write));
  if (answers.some(({ status }) => status === 403)) throw new NotChecked('the key may not write contacts: 403');
  // An implementation may refuse one while its equal is under way; those that succeed have one result.
  const successes = answers.filter(({ status }) => status === 200 || status === 201);
  assertThat(successes.length > 0, 'a success among equal writes at once', describeAnswer(answers[0]!));
  const ids = [...new Set(successes.map(({ body }) => (body as { id: string }).id))];
  if (successes[0]!.status === 201) for (const id of ids) eraseAtEnd(session, id);
  return { tag, ids };
}
