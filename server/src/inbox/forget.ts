import type { ContactHolder } from '../contacts/erase/contact-holder.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { publishLive } from '../live/publish-live.ts';
import { publishChanges } from './sharing.ts';

const deleteOfMember = [
  statement('delete from read_marks where workspace_id = $1 and user_id = $2'),
  statement('delete from drafts where workspace_id = $1 and user_id = $2'),
  statement('delete from notification_settings where workspace_id = $1 and user_id = $2'),
  statement('delete from saved_views where workspace_id = $1 and user_id = $2'),
  statement('delete from canned_replies where workspace_id = $1 and user_id = $2'),
];

const deletePresences = statement<{ conversation_id: string }>(`
  delete from presences where workspace_id = $1 and user_id = $2 returning conversation_id`);

/** Deletes what a former member had for themselves, and tells others that they view nothing. What they shared stays. */
export async function forgetMember(tx: Transaction, workspace_id: string, user_id: string): Promise<void> {
  for (const deleteRows of deleteOfMember) await deleteRows(tx, [workspace_id, user_id]);
  const ended = await deletePresences(tx, [workspace_id, user_id]);
  await publishLive(
    tx,
    ended.map(({ conversation_id }) => {
      return { workspace_id, kind: 'presence', conversation_id, object_id: user_id, details: {} };
    }),
  );
}

const deleteOfConversations = [
  statement('delete from read_marks where workspace_id = $1 and conversation_id = any ($2::uuid[])'),
  statement('delete from drafts where workspace_id = $1 and conversation_id = any ($2::uuid[])'),
  statement('delete from presences where workspace_id = $1 and conversation_id = any ($2::uuid[])'),
];

/** Deletes what people keep in these conversations for themselves. */
export async function forgetConversations(
  tx: Transaction,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<void> {
  for (const deleteRows of deleteOfConversations) await deleteRows(tx, [workspace_id, conversation_ids]);
}

const deleteViews = statement<ChangedView>(`
  delete from saved_views where workspace_id = $1 and contact_id = $2 returning id, user_id`);
const moveViews = statement<ChangedView>(`
  update saved_views set contact_id = $2 where workspace_id = $1 and contact_id = $3 returning id, user_id`);

interface ChangedView {
  id: string;
  user_id: string | null;
}

/** What people keep about a contact: it is erased with it. A merge moves the conversations, and their drafts with them. */
export const inboxStateHolder: ContactHolder = {
  async erase(tx, { workspace_id, contact_id, conversation_ids }) {
    await forgetConversations(tx, workspace_id, conversation_ids);
    const views = await deleteViews(tx, [workspace_id, contact_id]);
    await publishChanges(tx, workspace_id, 'saved_view', views);
  },
  async merge(tx, { workspace_id, survivor_id, source_id }) {
    const views = await moveViews(tx, [workspace_id, survivor_id, source_id]);
    await publishChanges(tx, workspace_id, 'saved_view', views);
  },
};
