import { type Contact, type ContactUpsert, operations } from '@majlis/contract';
import { type ApiResponse, describeResponse, isJsonObject } from './api-response.ts';
import { drawNumber } from './draw-number.ts';
import { findResponseFaults } from './find-schema-faults.ts';
import { expectSuccess, type Session, shareFixture } from './session.ts';
import { Broken, NotChecked } from './verdict.ts';

export type ContactDraft = Omit<ContactUpsert, 'identities'>;

/** Creates a contact for clauses about other subjects. Refers to `contacts.created` if that fails. */
export async function requireContact(session: Session, draft?: ContactDraft): Promise<Contact> {
  return createContact(session, draft).catch((error) => {
    if (!(error instanceof Broken)) throw error;
    session.referred.add('contacts.created');
    throw new NotChecked('no contact can be created: see contacts.created');
  });
}

/** Creates a contact with a new number. The end of the run erases the contact, if erasing is live. */
export async function createContact(session: Session, draft: ContactDraft = {}): Promise<Contact> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const identities = [{ channel_type: 'chatapp' as const, identifier: drawNumber(session) }];
    const answer = await session.client.call(operations.upsertContact, {
      body: { name: session.run_name, ...draft, identities },
    });
    if (answer.status === 403) throw new NotChecked('the key may not write contacts: 403');
    // An earlier run left a contact with this number. Try another number.
    if (answer.status === 200) {
      session.leaves.add(`contacts named ${session.run_name}`);
      await clearTags(session, answer);
      continue;
    }
    if (answer.status !== 201) throw new Broken('201 on POST /v1/contacts', describeResponse(answer));
    if (findResponseFaults(answer).length > 0) {
      session.referred.add('operations.upsertContact');
      throw new NotChecked('the answer is not in its schema: see operations.upsertContact');
    }
    const contact = answer.body as Contact;
    eraseContactAtEnd(session, contact.id);
    return contact;
  }
  throw new Broken('201 on POST /v1/contacts for a contact that did not exist', '200, three times');
}

/** Keeps a contact of an earlier run out of lists by a tag of this run. */
async function clearTags({ client }: Session, { body }: ApiResponse): Promise<void> {
  const contact_id = isJsonObject(body) && typeof body.id === 'string' ? body.id : '';
  if (contact_id !== '') await client.call(operations.updateContact, { params: { contact_id }, body: { tags: [] } });
}

/** Erases the contact at the end of the run. Reports the contact if erasing is not live. */
export function eraseContactAtEnd(session: Session, contact_id: string): void {
  session.cleanUps.push(async () => {
    const { status } = await session.client.call(operations.deleteContact, { params: { contact_id } });
    if (status === 204) return undefined;
    const { status: still } = await session.client.call(operations.getContact, { params: { contact_id } });
    return still === 404 ? undefined : `contact ${contact_id}, named ${session.run_name}`;
  });
}

/** One contact for several clauses. They restore what they change. */
export function sharedContact(session: Session): Promise<Contact> {
  return shareFixture(session, 'contact', () =>
    requireContact(session, { language: 'en', tags: [session.run_name], email: `${session.run_name}@example.com` }),
  );
}

export function readContact(session: Session, contact_id: string): Promise<Contact> {
  return expectSuccess(session, 'getContact', { params: { contact_id } });
}
