import type { Connection } from '../database/pool.ts';
import { build, run, statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { orderedList } from '../workspaces/ordered-list.ts';

/** The stages as people and the workspace file change them. */
export const stageList = orderedList('stages');

/** In the order of their positions. */
export function listStages(connection: Connection, workspace_id: string) {
  const query = build
    .selectFrom('stages')
    .select(['id', 'name', 'emoji', 'position'])
    .where('workspace_id', '=', workspace_id)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('id');
  return run(connection, query);
}

const holdNamed = statement<{ id: string }>(`
  select id from stages where workspace_id = $1 and name = $2 and removed_at is null for share`);

/** The stage of the name. It stays until the transaction ends: its removal then finds what has it. */
export async function holdStage(
  tx: Transaction,
  workspace_id: string,
  name: string,
): Promise<{ id: string } | undefined> {
  return (await holdNamed(tx, [workspace_id, name]))[0];
}
