import { randomInt } from 'node:crypto';
import { type Contact, operations } from '@majlis/contract';
import { assertContactListed } from '../assert-contact-listed.ts';
import { defineArea } from '../clause.ts';
import { createContact, eraseContactAtEnd, readContact, requireContact, sharedContact } from '../contact-fixtures.ts';
import { anyRefusal, expectRefusal, expectSuccess, type Session } from '../session.ts';
import { assertSame, assertThat, NotChecked } from '../verdict.ts';

const chatapp = 'chatapp' as const;
const e164 = /^\+[1-9]\d{6,14}$/;

export const contactsArea = defineArea('contacts', [
  ['created', 'POST /v1/contacts answers 201 when created, with the sent values.', create],
  ['updated', 'Upsert matches by identity: 200 when an existing contact was updated.', update],
  ['e164', 'Phone numbers are normalised to E.164.', normalise],
  ['local_number', 'An identifier may be a local 8-digit number, and is normalised to E.164.', normaliseLocal],
  ['patch_only_sent', 'PATCH: only sent fields change.', patchOneField],
  ['patch_tags', 'PATCH: tags replaces the tag set.', replaceTags],
  ['patch_stage', 'PATCH: stage_id is a string or null.', setStage],
  [
    'patch_blocked',
    'PATCH: blocked is set and cleared.',
    async (session) => {
      const params = { contact_id: (await requireContact(session)).id };
      for (const blocked of [true, false]) {
        await expectSuccess(session, 'updateContact', { params, body: { blocked } });
        assertSame((await readContact(session, params.contact_id)).blocked, blocked, 'blocked');
      }
    },
  ],
  [
    'unknown_custom_field',
    'Keys of custom_fields must exist in the custom field definitions.',
    async (session) => {
      await expectSuccess(session, 'listCustomFields');
      const params = { contact_id: (await sharedContact(session)).id };
      await expectRefusal(
        session,
        'updateContact',
        { params, body: { custom_fields: { [session.run_name]: 'x' } } },
        anyRefusal,
      );
    },
  ],
  ['search_name', 'q matches name, with Arabic-aware letter folding.', searchName],
  [
    'search_phone',
    'q matches phone.',
    async (session) => {
      const contact = await requireContact(session);
      await assertContactListed(session, { q: contact.identities[0]!.identifier }, contact.id);
    },
  ],
  [
    'search_email',
    'q matches e-mail.',
    async (session) => {
      const contact = await sharedContact(session);
      await assertContactListed(session, { q: `${session.run_name}@example.com` }, contact.id);
    },
  ],
  [
    'filter_tag',
    'GET /v1/contacts takes tag.',
    async (session) => {
      const contact = await requireContact(session, { tags: [`${session.run_name}-filter`] });
      await assertContactListed(session, { tag: `${session.run_name}-filter` }, contact.id);
      const { data } = await expectSuccess(session, 'listContacts', { query: { tag: `${session.run_name}-filter` } });
      assertSame(
        data.map(({ id }) => id),
        [contact.id],
        'the one contact that carries the tag:',
      );
    },
  ],
  [
    'order',
    'GET /v1/contacts: newest activity first.',
    async (session) => {
      const { data } = await expectSuccess(session, 'listContacts');
      const times = data.flatMap(({ last_activity_at }) => (last_activity_at ? [last_activity_at] : []));
      const sorted = times.toSorted((a, b) => Date.parse(b) - Date.parse(a));
      assertSame(times, sorted, 'last_activity_at in this order:');
    },
  ],
  ['merge', 'Merge: identities and tags move to the surviving contact; the source is deleted.', merge],
  [
    'erase',
    'DELETE permanently erases the contact: 204, then 404.',
    async (session) => {
      const params = { contact_id: (await requireContact(session)).id };
      await expectSuccess(session, 'deleteContact', { params });
      await expectRefusal(session, 'getContact', { params }, [404]);
    },
  ],
  [
    'tags',
    'GET /v1/tags: each tag with the count of contacts carrying it.',
    async (session) => {
      await expectSuccess(session, 'listTags');
      const tag = `${session.run_name}-count`;
      await requireContact(session, { tags: [tag] });
      await requireContact(session, { tags: [tag] });
      const { data } = await expectSuccess(session, 'listTags');
      assertSame(data.find(({ name }) => name === tag)?.contacts, 2, 'contacts that carry the tag:');
    },
  ],
]);

async function create(session: Session): Promise<void> {
  const draft = {
    name: `${session.run_name} Muna`,
    email: `muna.${session.run_name}@example.com`,
    language: 'ar',
    vip: true,
    tags: [session.run_name],
    consents: { chatapp_marketing: true },
  };
  const contact = await createContact(session, draft);
  for (const came of [contact, await readContact(session, contact.id)]) {
    assertSame(pick(came, Object.keys(draft)), draft, 'the sent values:');
  }
}

function pick(contact: Contact, names: string[]): Record<string, unknown> {
  const members: Record<string, unknown> = { ...contact };
  return Object.fromEntries(names.map((name) => [name, members[name]]));
}

async function update(session: Session): Promise<void> {
  const contact = await requireContact(session);
  const body = { name: `${session.run_name} again`, identities: contact.identities };
  const again = await expectSuccess(session, 'upsertContact', { body }, 200);
  assertSame([again.id, again.name], [contact.id, body.name], 'the same contact under its new name:');
}

async function normalise(session: Session): Promise<void> {
  const { identities } = await requireContact(session);
  const numbers = identities.map(({ identifier }) => identifier);
  assertThat(numbers.length === 1 && e164.test(numbers[0]!), 'one identity whose identifier is E.164', numbers);
  const number = numbers[0]!;
  // A deployment may refuse other spellings. An accepted spelling is the same number.
  const spelled = `${number.slice(0, 2)} (${number.slice(2, 5)}) ${number.slice(5, 8)}-${number.slice(8)}`;
  const body = { contacts: [{ identities: [{ channel_type: chatapp, identifier: spelled }] }] };
  const { created } = await expectSuccess(session, 'importContacts', { body });
  assertSame(created, 0, `contacts created for ${spelled}, whose number has one already:`);
}

/** The contract leaves open the country of the number and whether the number is valid there. */
async function normaliseLocal(session: Session): Promise<void> {
  const identities = [{ channel_type: chatapp, identifier: `92${randomInt(100_000, 1_000_000)}` }];
  const answer = await session.client.call(operations.upsertContact, { body: { identities } });
  if (![200, 201].includes(answer.status)) throw new NotChecked(`no such number here: ${answer.status}`);
  const { id } = answer.body as Contact;
  // A contact that existed before is not ours to erase.
  if (answer.status === 201) eraseContactAtEnd(session, id);
  const numbers = (await readContact(session, id)).identities.filter(({ channel_type }) => channel_type === chatapp);
  assertThat(
    numbers.every(({ identifier }) => e164.test(identifier)),
    'identifiers in E.164',
    numbers,
  );
}

async function patchOneField(session: Session): Promise<void> {
  const before = await requireContact(session, {
    language: 'ar',
    tags: [session.run_name],
    email: `p.${session.run_name}@example.com`,
  });
  await expectSuccess(session, 'updateContact', { params: { contact_id: before.id }, body: { vip: true } });
  const after = await readContact(session, before.id);
  const names = ['name', 'identities', 'email', 'language', 'tags', 'blocked', 'consents', 'vip'];
  assertSame(pick(after, names), pick({ ...before, vip: true }, names), 'all as before, except vip:');
}

async function replaceTags(session: Session): Promise<void> {
  const { id } = await requireContact(session, { tags: [`${session.run_name}-a`, `${session.run_name}-b`] });
  const tags = [`${session.run_name}-c`];
  await expectSuccess(session, 'updateContact', { params: { contact_id: id }, body: { tags } });
  assertSame((await readContact(session, id)).tags, tags, 'the tags');
}

async function setStage(session: Session): Promise<void> {
  const [stage] = await expectSuccess(session, 'listStages');
  if (!stage) throw new NotChecked('the workspace has no stages');
  const params = { contact_id: (await requireContact(session)).id };
  await expectSuccess(session, 'updateContact', { params, body: { stage_id: stage.id } });
  assertSame((await readContact(session, params.contact_id)).stage_id, stage.id, 'stage_id');
  await expectSuccess(session, 'updateContact', { params, body: { stage_id: null } });
  assertSame((await readContact(session, params.contact_id)).stage_id, undefined, 'stage_id');
}

async function searchName(session: Session): Promise<void> {
  const contact = await requireContact(session, { name: `أحمد ${session.run_name}` });
  await assertContactListed(session, { q: `أحمد ${session.run_name}` }, contact.id);
  await assertContactListed(session, { q: `احمد ${session.run_name}` }, contact.id);
}

async function merge(session: Session): Promise<void> {
  const survivor = await requireContact(session, { tags: [`${session.run_name}-a`] });
  const source = await requireContact(session, { tags: [`${session.run_name}-b`] });
  const params = { contact_id: survivor.id };
  await expectSuccess(session, 'mergeContact', { params, body: { source_contact_id: source.id } });
  const merged = await readContact(session, survivor.id);
  assertSame(merged.tags.toSorted(), [...survivor.tags, ...source.tags].toSorted(), 'the tags of both:');
  const numbers = (of: Contact) => of.identities.map(({ identifier }) => identifier);
  assertSame(
    numbers(merged).toSorted(),
    [...numbers(survivor), ...numbers(source)].toSorted(),
    'the identities of both:',
  );
  await expectRefusal(session, 'getContact', { params: { contact_id: source.id } }, [404]);
}
