import { expectSuccess, pollUntil, type Session } from './session.ts';
import { assertThat } from './verdict.ts';

/** Waits for the contact to appear in the list: lists may lag behind writes. */
export async function assertContactListed(
  session: Session,
  query: Record<string, string>,
  contact_id: string,
): Promise<void> {
  const ids = await pollUntil(
    session,
    async () => (await expectSuccess(session, 'listContacts', { query })).data.map(({ id }) => id),
    (found) => found.includes(contact_id),
  );
  assertThat(ids.includes(contact_id), `${contact_id} among the contacts for ${JSON.stringify(query)}`, ids);
}
