import { operations } from '@majlis/contract';
import { describeResponse } from '../api-response.ts';
import { defineArea } from '../clause.ts';
import { eraseContactAtEnd, requireContact } from '../contact-fixtures.ts';
import { drawNumber } from '../draw-number.ts';
import {
  expectRefusal,
  expectSuccess,
  idempotencyHeaders,
  rethrowBroken,
  type Session,
  shareFixture,
} from '../session.ts';
import { assertSame, assertThat, Broken, NotChecked } from '../verdict.ts';

export const idempotencyArea = defineArea('idempotency', [
  [
    'same_result',
    'Repeating the same key with the same body returns the original result.',
    async (session) => {
      const { first, second } = await rethrowBroken(writeTwice(session));
      assertSame([second.status, second.body], [first.status, first.body], 'the first answer:');
    },
  ],
  [
    'acts_once',
    'Repeating the same key with the same body acts once.',
    async (session) => {
      const { tag, ids } = await writeConcurrently(session);
      assertSame(ids.length, 1, 'contacts that simultaneous equal writes created:');
      const { data } = await expectSuccess(session, 'listContacts', { query: { tag } });
      assertSame(
        data.map(({ id }) => id),
        ids,
        'the one contact of the write:',
      );
    },
  ],
  [
    'keeps_result',
    'The original result is returned after later changes.',
    async (session) => {
      const { first, body, headers } = await writeTwice(session);
      const { id } = first.body as { id: string };
      await expectSuccess(session, 'updateContact', {
        params: { contact_id: id },
        body: { name: `${session.run_name} since` },
      });
      const third = await session.client.call(operations.upsertContact, { body, headers });
      assertSame([third.status, third.body], [first.status, first.body], 'the first answer:');
      const { name } = await expectSuccess(session, 'getContact', { params: { contact_id: id } });
      assertSame(name, `${session.run_name} since`, 'the name, which a repetition must not set again:');
    },
  ],
  [
    'conflict',
    'Repeating it with a different body fails with 409 idempotency_conflict.',
    async (session) => {
      const { body, headers } = await writeTwice(session);
      const different = { ...body, name: `${session.run_name} different` };
      await expectRefusal(session, 'upsertContact', { body: different, headers }, [409], 'idempotency_conflict');
    },
  ],
  [
    'get_ignores',
    'GET ignores the header.',
    async (session) => {
      const headers = idempotencyHeaders();
      for (const contact of [await requireContact(session), await requireContact(session)]) {
        const { id } = await expectSuccess(session, 'getContact', { params: { contact_id: contact.id }, headers });
        assertSame(id, contact.id, 'the contact that was asked for:');
      }
    },
  ],
]);

function writeTwice(session: Session) {
  return shareFixture(session, 'write that was repeated', async () => {
    const headers = idempotencyHeaders();
    const body = { name: session.run_name, identities: [{ channel_type: 'chatapp', identifier: drawNumber(session) }] };
    const write = () => session.client.call(operations.upsertContact, { body, headers });
    const first = await write();
    if (first.status === 403) throw new NotChecked('the key may not write contacts: 403');
    if (first.status === 201) eraseContactAtEnd(session, (first.body as { id: string }).id);
    if (![200, 201].includes(first.status)) throw new Broken('201 on POST /v1/contacts', describeResponse(first));
    return { first, second: await write(), body, headers };
  });
}

async function writeConcurrently(session: Session) {
  const headers = idempotencyHeaders();
  const tag = `${session.run_name}-once`;
  const identities = [{ channel_type: 'chatapp', identifier: drawNumber(session) }];
  const body = { name: session.run_name, tags: [tag], identities };
  const write = () => session.client.call(operations.upsertContact, { body, headers });
  const answers = await Promise.all(Array.from({ length: 5 }, write));
  if (answers.some(({ status }) => status === 403)) throw new NotChecked('the key may not write contacts: 403');
  // A deployment may refuse an equal write that is under way. All successes share one result.
  const successes = answers.filter(({ status }) => status === 200 || status === 201);
  assertThat(successes.length > 0, 'a success among simultaneous equal writes', describeResponse(answers[0]!));
  const ids = [...new Set(successes.map(({ body }) => (body as { id: string }).id))];
  if (successes[0]!.status === 201) for (const id of ids) eraseContactAtEnd(session, id);
  return { tag, ids };
}
