import { type OperationId, operations } from '@majlis/contract';
import { defineArea } from '../clause.ts';
import { makeContact } from '../contacts.ts';
import { type Session, shared, succeed, until } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

const paged = ['listContacts', 'listConversations', 'listBroadcasts'] as const satisfies readonly OperationId[];

export const paging = defineArea('paging', [
  ...paged.map((id) => {
    const check = async (session: Session) => {
      const { has_more, next_cursor } = await succeed(session, id);
      assertThat(!has_more || Boolean(next_cursor), 'a next_cursor where has_more is true', { has_more, next_cursor });
    };
    return [`envelope.${id}`, `${operations[id].path}: data, next_cursor, has_more.`, check] as const;
  }),
  ['limit', 'limit is how many a page holds at most.', limit],
  ['walk', 'cursor is the next_cursor of the previous page: all of them, and none twice.', walk],
  ['walk_while_writing', 'A walk keeps what was there, while other contacts come.', walkWhileWriting],
]);

const count = 5;

/** Contacts under a tag of their own, once lists show them. */
function taggedContacts(session: Session) {
  return shared(session, 'list to walk', async () => {
    const tag = `${session.mark}-page`;
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await makeContact(session, { tags: [tag] })).id);
    const query = { tag };
    const listed = await until(
      session,
      async () => (await succeed(session, 'listContacts', { query })).data,
      ({ length }) => length === count,
    );
    if (listed.length < 3)
      throw new NotChecked(`the first page shows ${listed.length} of ${count} contacts with the tag`);
    return { tag, ids };
  });
}

async function limit(session: Session): Promise<void> {
  const { tag } = await taggedContacts(session);
  const { data, has_more } = await succeed(session, 'listContacts', { query: { tag, limit: 2 } });
  assertThat(data.length >= 1 && data.length <= 2, 'one or two contacts with limit=2', `${data.length}`);
  assertSame(has_more, true, `has_more, of ${count} contacts`);
}

async function walk(session: Session): Promise<void> {
  const { tag, ids } = await taggedContacts(session);
  assertSame((await walkIds(session, tag)).toSorted(), ids.toSorted(), 'each contact with the tag once:');
}

async function walkWhileWriting(session: Session): Promise<void> {
  const { tag, ids } = await taggedContacts(session);
  const found = await walkIds(session, tag, () => makeContact(session, { tags: [tag] }));
  const missing = ids.filter((id) => !found.includes(id));
  assertSame(missing, [], 'contacts of before that the walk has missed:');
  assertSame(found.length, new Set(found).size, 'different contacts of the walk:');
}

/** `between` happens once, between the first page and the second. */
async function walkIds(session: Session, tag: string, between?: () => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let turn = 0; turn < 3 * count; turn++) {
    const query = { tag, limit: 2, ...(cursor !== undefined && { cursor }) };
    const { data, has_more, next_cursor } = await succeed(session, 'listContacts', { query });
    found.push(...data.map(({ id }) => id));
    if (!has_more) return found;
    cursor = next_cursor;
    if (turn === 0) await between?.();
  }
  assertThat(false, `an end after ${count} contacts`, `${found.length} contacts and still has_more`);
  return found;
}
