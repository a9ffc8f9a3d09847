import { type Contact, type ContactUpsert, operations } from '@majlis/contract';
import { type Answer, describeAnswer, isObject } from './answer.ts';
import { drawNumber } from './draw-number.ts';
import { schemaFaults } from './schema-faults.ts';
import { type Session, shared, succeed } from './session.ts';
import { Broken, NotChecked } from './verdict.ts';

export type ContactDraft = Omit<ContactUpsert, 'identities'>;

/** A contact to judge something else by; `contacts.created` tells where none can be made. */
export async function makeContact(session: Session, draft?: ContactDraft): Promise<Contact> {
  return createContact(session, draft).catch((error) => {
    if (!(error instanceof Broken)) throw error;
    session.referred.add('contacts.created');
    throw new NotChecked('no contact can be made: see contacts.created');
  });
}

/** A contact that did not exist before, with a number of nobody. It is erased at the end, where that can be done. */
export async function createContact(session: Session, draft: ContactDraft = {}): Promise<Contact> {
  for (let turn = 0; turn < 3; turn++) {
    const identities = [{ channel_type: 'chatapp' as const, identifier: drawNumber(session) }];
    const answer = await session.client.call(operations.upsertContact, {
      body: { name: session.mark, ...draft, identities },
    });
    if (answer.status === 403) throw new NotChecked('the key may not write contacts: 403');
    // One that an earlier run left behind, with the same number: another number, then.
    if (answer.status === 200) {
      session.leaves.add(`contacts named ${session.mark}`);
      await untag(session, answer);
      continue;
    }
    if (answer.status !== 201) throw new Broken('201 on POST /v1/contacts', describeAnswer(answer));
    if (schemaFaults(answer).length > 0) {
      session.referred.add('operations.upsertContact');
      throw new NotChecked('the answer is not in its schema: see operations.upsertContact');
    }
    const contact = answer.body as Contact;
    eraseAtEnd(session, contact.id);
    return contact;
  }
  throw new Broken('201 on POST /v1/contacts for a contact that did not exist', '200, three times');
}

/** No list by a tag of this run shows a contact that an earlier one left behind. */
async function untag({ client }: Session, { body }: Answer): Promise<void> {
  const contact_id = isObject(body) && typeof body.id === 'string' ? body.id : '';
  if (contact_id !== '') await client.call(operations.updateContact, { params: { contact_id }, body: { tags: [] } });
}

/** Where erasing is not live, the contact stays behind under the name of the run. */
export function eraseAtEnd(session: Session, contact_id: string): void {
  session.cleanUps.push(async () => {
    const { status } = await session.client.call(operations.deleteContact, { params: { contact_id } });
    if (status === 204) return undefined;
    const { status: still } = await session.client.call(operations.getContact, { params: { contact_id } });
    return still === 404 ? undefined : `contact ${contact_id}, named ${session.mark}`;
  });
}

/** The contact that clauses look at and change back. */
export function sampleContact(session: Session): Promise<Contact> {
  return shared(session, 'contact', () =>
    makeContact(session, { language: 'en', tags: [session.mark], email: `${session.mark}@example.com` }),
  );
}

export function readContact(session: Session, contact_id: string): Promise<Contact> {
  return succeed(session, 'getContact', { params: { contact_id } });
}
