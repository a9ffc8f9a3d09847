import { consoleOperations } from '@majlis/console-api';
import { beforeHeader } from '@majlis/console-api/before';
import { originOf } from '../contacts/consents/record-consents.ts';
import { previewMerge } from '../contacts/erase/preview-merge.ts';
import { findContact } from '../contacts/find-contact.ts';
import { presentContact } from '../contacts/present.ts';
import { refuseFaults } from '../contacts/read-contact.ts';
import { editContact } from '../contacts/write/edit-contact.ts';
import { upsertContacts } from '../contacts/write/upsert-contacts.ts';
import { refuseHidden } from '../conversations/refuse-hidden.ts';
import { publicId } from '../database/ids.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { requireId } from '../http/require-id.ts';
import { recordActs } from '../people/audit.ts';
import { transactionOf } from '../people/hold-rights.ts';
import type { Resources } from '../process/resources.ts';
import { toAct } from './member-routes.ts';
import type { ServeConsole } from './serve-console.ts';

/** Carries the known contact out of the transaction, which the throw undoes. */
class KnownContact extends Error {
  readonly id: string;

  constructor(id: string) {
    super('The contact exists already.');
    this.id = id;
  }
}

export function contactEditRoutes(serve: ServeConsole, { config, pool, clock }: Resources): void {
  serve(consoleOperations.addContact, async ({ caller, body }) => {
    const { workspace_id } = caller;
    try {
      const contact = await transactionOf(caller, pool, async (tx) => {
        const options = { limits: config, origin: originOf(caller) };
        const [upserted] = await upsertContacts(tx, clock, caller, [body], options);
        if ('faults' in upserted!) throw refuseFaults(upserted.faults);
        const { contact_id, created } = upserted!;
        // What the upsert changed of a known contact is undone with the transaction.
        if (!created) throw new KnownContact(contact_id);
        await recordActs(tx, clock, [toAct(caller, 'addContact', { contact_id: publicId('contact', contact_id) })]);
        return presentContact((await findContact(tx, workspace_id, contact_id))!);
      });
      return { status: 200, body: { contact, is_new: true } };
    } catch (error) {
      if (!(error instanceof KnownContact)) throw error;
      const row = await findContact(pool, workspace_id, error.id);
      if (!row) throw new Refusal('not_found');
      return { status: 200, body: { contact: presentContact(row), is_new: false } };
    }
  });

  serve(consoleOperations.editContact, async ({ caller, params: { contact_id }, body }) =>
    transactionOf(caller, pool, async (tx) => {
      const id = requireId('contact', contact_id);
      const { row, told_before } = await editContact(tx, clock, caller, id, body, config);
      const { workspace_id, user_id, address } = caller;
      const act = { workspace_id, user_id, action: consoleOperations.editContact.id, address };
      await recordActs(tx, clock, [{ ...act, targets: { contact_id } }]);
      return { status: 200, body: presentContact(row), headers: { [beforeHeader]: JSON.stringify(told_before) } };
    }),
  );

  serve(consoleOperations.previewMerge, async ({ caller, params, query }) => {
    const { workspace_id } = caller;
    const survivor_id = requireId('contact', params.contact_id);
    const source_id = requireId('contact', query.source_contact_id);
    for (const contact_id of [survivor_id, source_id]) await refuseHidden(pool, caller, { contact_id });
    const preview = await previewMerge(pool, { workspace_id, survivor_id, source_id });
    if (!preview) throw new Refusal('not_found');
    return { status: 200, body: preview };
  });
}
