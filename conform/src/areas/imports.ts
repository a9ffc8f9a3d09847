import { limits } from '@majlis/contract';
import { defineArea } from '../clause.ts';
import { eraseContactAtEnd } from '../contact-fixtures.ts';
import { drawNumber } from '../draw-number.ts';
import { anyRefusal, expectRefusal, expectSuccess, rethrowBroken, type Session, shareFixture } from '../session.ts';
import { assertSame, assertThat } from '../verdict.ts';

export const importsArea = defineArea('imports', [
  [
    'failed_rows',
    'Rows failing validation are reported in failed with their index, and the rest are imported.',
    async (session) => {
      const { first } = await rethrowBroken(importTwice(session));
      const indexes = first.failed.map(({ index }) => index);
      assertSame(
        indexes.toSorted((a, b) => a - b),
        [1, 3],
        'the indexes of the two rows that are no contacts:',
      );
      assertSame(first.created + first.updated, 2, 'contacts that were imported:');
      assertThat(
        first.failed.every(({ code }) => code !== ''),
        'a code for each row',
        first.failed,
      );
    },
  ],
  [
    'updated',
    'Import upserts: contacts that are there already are updated.',
    async (session) => {
      const { second } = await importTwice(session);
      assertSame([second.created, second.updated], [0, 2], 'created and updated');
    },
  ],
  [
    'too_many',
    'Contacts per import call: 1,000.',
    async (session) => {
      const contacts = Array.from({ length: limits.import_contacts + 1 }, () => ({}));
      await expectRefusal(session, 'importContacts', { body: { contacts } }, anyRefusal);
    },
  ],
]);

/** An import and its repetition, shared by clauses because the limit is ten imports a minute. */
function importTwice(session: Session) {
  return shareFixture(session, 'import', async () => {
    const tag = `${session.run_name}-import`;
    const row = (identifier: string) => ({
      name: session.run_name,
      tags: [tag],
      identities: [{ channel_type: 'chatapp', identifier }],
    });
    const numbers = [drawNumber(session), drawNumber(session)];
    const body = { contacts: [row(numbers[0]!), row('12'), row(numbers[1]!), { name: session.run_name }] };
    const first = await expectSuccess(session, 'importContacts', { body });
    const { data } = await expectSuccess(session, 'listContacts', { query: { tag } });
    for (const { id } of data) eraseContactAtEnd(session, id);
    return { first, second: await expectSuccess(session, 'importContacts', { body }) };
  });
}
