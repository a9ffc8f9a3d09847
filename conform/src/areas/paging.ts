import { type OperationId, operations } from '@majlis/contract';
import { defineArea } from '../clause.ts';
import { requireContact } from '../contact-fixtures.ts';
import { expectSuccess, pollUntil, type Session, shareFixture } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

const pagedOperations = [
  'listContacts',
  'listConversations',
  'listBroadcasts',
] as const satisfies readonly OperationId[];

export const pagingArea = defineArea('paging', [
  ...pagedOperations.map((id) => {
    const check = async (session: Session) => {
      const { has_more, next_cursor } = await expectSuccess(session, id);
      assertThat(!has_more || Boolean(next_cursor), 'a next_cursor where has_more is true', { has_more, next_cursor });
    };
    return [`envelope.${id}`, `${operations[id].path}: data, next_cursor, has_more.`, check] as const;
  }),
  ['limit', 'limit is the largest number of entries of a page.', checkPageSize],
  ['all_pages', 'cursor is the next_cursor of the previous page: the pages hold every contact once.', checkAllPages],
  ['all_pages_while_writing', 'The pages hold every earlier contact while others are added.', checkPagesWhileWriting],
]);

const contactCount = 5;

/** Creates contacts with an own tag, and waits until lists show them. */
function taggedContacts(session: Session) {
  return shareFixture(session, 'list with several pages', async () => {
    const tag = `${session.run_name}-page`;
    const ids: string[] = [];
    for (let n = 0; n < contactCount; n++) ids.push((await requireContact(session, { tags: [tag] })).id);
    const query = { tag };
    const listed = await pollUntil(
      session,
      async () => (await expectSuccess(session, 'listContacts', { query })).data,
      ({ length }) => length === contactCount,
    );
    if (listed.length < 3)
      throw new NotChecked(`the first page shows ${listed.length} of ${contactCount} contacts with the tag`);
    return { tag, ids };
  });
}

async function checkPageSize(session: Session): Promise<void> {
  const { tag } = await taggedContacts(session);
  const { data, has_more } = await expectSuccess(session, 'listContacts', { query: { tag, limit: 2 } });
  assertThat(data.length >= 1 && data.length <= 2, 'one or two contacts with limit=2', `${data.length}`);
  assertSame(has_more, true, `has_more, of ${contactCount} contacts`);
}

async function checkAllPages(session: Session): Promise<void> {
  const { tag, ids } = await taggedContacts(session);
  assertSame((await readAllIds(session, tag)).toSorted(), ids.toSorted(), 'each contact with the tag once:');
}

async function checkPagesWhileWriting(session: Session): Promise<void> {
  const { tag, ids } = await taggedContacts(session);
  const found = await readAllIds(session, tag, () => requireContact(session, { tags: [tag] }));
  const missing = ids.filter((id) => !found.includes(id));
  assertSame(missing, [], 'earlier contacts missing from the pages:');
  assertSame(found.length, new Set(found).size, 'different contacts on the pages:');
}

/** Reads all pages. Calls `between` once, after the first page. */
async function readAllIds(session: Session, tag: string, between?: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let turn = 0; turn < 3 * contactCount; turn++) {
    const query = { tag, limit: 2, ...(cursor !== undefined && { cursor }) };
    const { data, has_more, next_cursor } = await expectSuccess(session, 'listContacts', { query });
    for (const { id } of data) found.push(id);
    if (!has_more) return found;
    cursor = next_cursor;
    if (turn === 0) await between?.();
  }
  assertThat(false, `an end after ${contactCount} contacts`, `${found.length} contacts and still has_more`);
  return found;
}
