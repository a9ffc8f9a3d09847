import { setTimeout as pause } from 'node:timers/promises';
import { operations } from '@majlis/contract';
import { publicId } from '../../database/ids.ts';
import type { Caller, KeyCaller } from '../../http/authenticate.ts';
import { requireId } from '../../http/require-id.ts';
import type { Serve } from '../../http/serve.ts';
import { findUnderWay } from '../../jobs/queries.ts';
import type { Resources } from '../../process/resources.ts';
import { originOf } from '../consents/record-consents.ts';
import { findContact } from '../find-contact.ts';
import { presentContact } from '../present.ts';
import type { ContactHolder } from './contact-holder.ts';
import { eraseContact } from './erase-contact.ts';
import { mergeContacts } from './merge-contacts.ts';
import type { EraserActor } from './receipts/write-receipt.ts';

// A dispatch calls the platform within milliseconds of its point of no return: after this time it has called, or died.
const begunAfterMs = 1_000;

/** The operations that erase a contact: delete and merge. */
export function erasureRoutes(
  serve: Serve,
  { config, pool, clock, secretBox }: Resources,
  holders: readonly ContactHolder[],
): void {
  serve.perform(operations.deleteContact, async ({ caller, params }, transact) => {
    const { workspace_id } = caller;
    const contact = { workspace_id, contact_id: requireId('contact', params.contact_id), actor: eraserOf(caller) };
    const { dispatches, unfinished } = await transact((tx) => eraseContact(tx, { clock, secretBox }, holders, contact));
    for (const conversation_id of unfinished) {
      for (const holder of holders) await holder.eraseRest?.(pool, workspace_id, conversation_id);
    }
    // After the answer, no call to the platform for this contact begins any more.
    const until = performance.now() + begunAfterMs;
    while (performance.now() < until && (await findUnderWay(pool, dispatches)).length > 0) await pause(20);
    return { status: 204, body: undefined };
  });

  serve.write(operations.mergeContact, async (tx, { caller, params, body }) => {
    const { workspace_id } = caller;
    const survivor_id = requireId('contact', params.contact_id);
    const source_id = requireId('contact', body.source_contact_id);
    const merge = { workspace_id, survivor_id, source_id };
    await mergeContacts(tx, clock, holders, merge, {
      bounds: config.bounds,
      origin: originOf(caller, 'merge'),
      principal: caller,
    });
    return { status: 200, body: presentContact((await findContact(tx, workspace_id, survivor_id))!) };
  });
}

/** A person, or an API key by its prefix. */
function eraserOf({ is_person, user_id, key_prefix }: Caller & Partial<KeyCaller>): EraserActor {
  if (is_person && user_id) return { kind: 'user', id: publicId('user', user_id) };
  return { kind: 'api_key', id: key_prefix ?? '' };
}
