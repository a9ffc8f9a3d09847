import { type Session, succeed, until } from './session.ts';
import { assertThat } from './verdict.ts';

/** A list may follow a write after a moment. */
export async function findsContact(session: Session, query: Record<string, string>, contact_id: string): Promise<void> {
  const ids = await until(
    session,
    async () => (await succeed(session, 'listContacts', { query })).data.map(({ id }) => id),
    (found) => found.includes(contact_id),
  );
  assertThat(ids.includes(contact_id), `${contact_id} among the contacts for ${JSON.stringify(query)}`, ids);
}
