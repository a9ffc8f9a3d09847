import type { Transaction } from '../../database/transaction.ts';
import { seedHours } from '../../users/working-hours.ts';
import type { Kept } from './kept.ts';
import { refuseUnder } from './refuse-under.ts';
import type { WorkspaceFile } from './workspace-file.ts';

interface Applying {
  workspace_id: string;
  /** Of the users, by e-mail address. */
  ids: Map<string, string>;
  kept: Kept[];
}

/** Sets the working hours of users who have none. Hours that are set stay, because people may have changed them. */
export async function applyWorkingHours(
  tx: Transaction,
  { workspace_id, ids, kept }: Applying,
  files: NonNullable<WorkspaceFile['users']>,
): Promise<void> {
  for (const [index, { email, working_hours }] of files.entries()) {
    const id = ids.get(email);
    if (!working_hours || !id) continue;
    const isKept = await refuseUnder(`/users/${index}`, () => seedHours(tx, { workspace_id, id }, working_hours));
    if (isKept) kept.push({ user: email, member: 'working_hours', value: 'set by people', in_file: 'other' });
  }
}
