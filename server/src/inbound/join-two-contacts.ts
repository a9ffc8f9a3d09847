import type { ContactHolder, ContactMerge } from '../contacts/erase/contact-holder.ts';
import { mergeContacts } from '../contacts/erase/merge-contacts.ts';
import { transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import type { Resources } from '../process/resources.ts';

/** Joins two contacts that the platform names as one person. One that is gone meanwhile was joined by another process. */
export async function joinTwoContacts(
  { pool, clock, config, log }: Pick<Resources, 'pool' | 'clock' | 'config' | 'log'>,
  holders: readonly ContactHolder[],
  { workspace_id, survivor_id, source_id }: ContactMerge,
): Promise<void> {
  // The messages of the customer must be stored, however large the joined contact is.
  const bounds = { ...config.bounds, document: Number.POSITIVE_INFINITY };
  const options = {
    bounds,
    origin: { source: 'merge', actor_kind: 'system' } as const,
    principal: { workspace_id, user_id: null },
  };
  try {
    await transaction(pool, (tx) =>
      mergeContacts(tx, clock, holders, { workspace_id, survivor_id, source_id }, options),
    );
    log.info({ survivor_id, source_id }, 'two contacts were joined, which the platform names as one person');
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
  }
}
