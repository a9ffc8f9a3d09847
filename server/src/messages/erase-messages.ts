import type { ContactHolder } from '../contacts/erase/contact-holder.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { eraseEvents } from '../events/erase-events.ts';
import { cancelQueues } from '../jobs/queues.ts';
import { removeMedia } from '../media/remove-media.ts';
import { dispatchKinds } from './jobs.ts';

// Rows are locked by id, as statuses lock them. In portions: a statement of a million rows would be ended for its length.
const deletePortion = statement<{ last: string | null; media_ids: string[] | null }>(`
  with portion as materialized (
    select m.id from messages m
    where m.workspace_id = $1 and m.conversation_id = any ($2::uuid[]) and m.id > $3
    order by m.id limit 10000
    for update
  ), deleted as (
    delete from messages m using portion where m.workspace_id = $1 and m.id = portion.id returning m.id, m.media_id
  )
  select max(id::text) as last, array_agg(distinct media_id) filter (where media_id is not null) as media_ids from deleted`);

const before_all = '00000000-0000-0000-0000-000000000000';

/**
 * Erases the history of the contact's conversations: the messages, then what waits to be sent, then the events that
 * quote them and the files, once nobody can record another. The order is that in which outcomes are recorded. A dispatch
 * that has begun finds nothing left to record.
 */
export const messagesOfContacts: ContactHolder = {
  async erase(tx, { workspace_id, conversation_ids, dispatches }) {
    const media_ids = await eraseMessages(tx, workspace_id, conversation_ids);
    for (const kind of dispatchKinds) dispatches.push(...(await cancelQueues(tx, kind, conversation_ids)));
    await eraseEvents(tx, workspace_id, conversation_ids);
    await removeMedia(tx, workspace_id, media_ids);
  },
};

/** Answers the ids of their files. */
async function eraseMessages(tx: Transaction, workspace_id: string, conversation_ids: string[]): Promise<string[]> {
  const media_ids = new Set<string>();
  let last: string | null = before_all;
  while (last) {
    const [portion] = await deletePortion(tx, [workspace_id, conversation_ids, last]);
    for (const id of portion!.media_ids ?? []) media_ids.add(id);
    last = portion!.last;
  }
  return [...media_ids];
}
