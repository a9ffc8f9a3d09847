import { setTimeout as pause } from 'node:timers/promises';
import { operations } from '@majlis/contract';
import { transaction } from '../../database/transaction.ts';
import { requireId } from '../../http/require-id.ts';
import type { Serve } from '../../http/serve.ts';
import { findUnderWay } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { findContact } from '../find-contact.ts';
import { presentContact } from '../present.ts';
import type { ContactHolder } from './contact-holder.ts';
import { eraseContact } from './erase-contact.ts';
import { mergeContacts } from './merge-contacts.ts';

// A dispatch calls the platform within milliseconds of its point of no return: after this time it has called, or died.
const begunAfterMs = 1_000;

/** The operations that erase a contact: delete and merge. */
export function erasureRoutes(
  serve: Serve,
  { config, pool, clock }: Resources,
  holders: readonly ContactHolder[],
): void {
  serve.perform(operations.deleteContact, async ({ caller: { workspace_id }, params }) => {
    const id = requireId('contact', params.contact_id);
    const { dispatches, unfinished } = await transaction(pool, (tx) => eraseContact(tx, holders, workspace_id, id));
    for (const conversation_id of unfinished) {
      for (const holder of holders) await holder.eraseRest?.(pool, workspace_id, conversation_id);
    }
    // After the answer, no call to the platform for this contact begins any more.
    const until = performance.now() + begunAfterMs;
    while (performance.now() < until && (await findUnderWay(pool, dispatches)).length > 0) await pause(20);
    return { status: 204, body: undefined };
  });

  serve.write(operations.mergeContact, async (tx, { caller: { workspace_id }, params, body }) => {
    const survivor_id = requireId('contact', params.contact_id);
    const source_id = requireId('contact', body.source_contact_id);
    await mergeContacts(tx, clock, holders, { workspace_id, survivor_id, source_id }, config.bounds);
    return { status: 200, body: presentContact((await findContact(tx, workspace_id, survivor_id))!) };
  });
}
