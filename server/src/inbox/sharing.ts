import { mayAct, type Role } from '@majlis/console-api';
import { sql } from 'kysely';
import { statement } from '../database/query.ts';
import type { SqlCondition } from '../database/search-page.ts';
import type { Transaction } from '../database/transaction.ts';
import { Refusal } from '../http/reply/refusal.ts';
import { publishLive } from '../live/publish-live.ts';

/** The person who reads or changes what is theirs or shared with the workspace. */
export interface Editor {
  workspace_id: string;
  user_id: string;
  role: Role;
}

/** A condition on a row with the column `user_id`: it is shared, or the person's own. */
export function isUsableBy({ user_id }: Editor): SqlCondition {
  return sql<boolean>`(user_id is null or user_id = ${user_id}::uuid)`;
}

/** Refuses agents where everybody would see the change. */
export function refuseSharing({ role }: Editor, shared: boolean): void {
  if (!shared || mayAct(role, 'supervisor')) return;
  throw new Refusal('role_insufficient', {
    detail: `What the workspace shares is changed by a supervisor; your role is ${role}.`,
  });
}

const lockWorkspace = statement('select from workspaces where id = $1 for no key update');
const lockUser = statement('select from users where workspace_id = $1 and id = $2 for no key update');

/** Locks what is shared or the person's own, so that two changes at once count and order the same rows. */
export async function lockGroup(
  tx: Transaction,
  editor: Pick<Editor, 'workspace_id' | 'user_id'>,
  shared: boolean,
): Promise<void> {
  if (shared) await lockWorkspace(tx, [editor.workspace_id]);
  else await lockUser(tx, [editor.workspace_id, editor.user_id]);
}

/** Tells everybody of what is shared, and the person's other tabs of what is their own. */
export async function publishChanges(
  tx: Transaction,
  workspace_id: string,
  kind: 'saved_view' | 'canned_reply',
  changed: readonly { id: string; user_id: string | null }[],
): Promise<void> {
  await publishLive(
    tx,
    changed.map(({ id, user_id }) => ({ workspace_id, kind, object_id: id, ...(user_id && { for_user_id: user_id }) })),
  );
}
