import { sql } from 'kysely';
import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, runFirst } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';

const tables = {
  user: 'users',
  team: 'teams',
  stage: 'stages',
  closing_category: 'closing_categories',
  ai_agent: 'ai_agents',
} as const;

const removable: readonly string[] = ['team', 'stage', 'closing_category'];

type Kind = keyof typeof tables;

/** The id of a row of the workspace by its public id. Undefined where there is none. */
export async function findByPublicId(
  connection: Connection,
  kind: Kind,
  workspace_id: string,
  public_id: string,
): Promise<string | undefined> {
  const id = parseId(kind, public_id);
  return id && (await runFirst(connection, selectPresent(kind, workspace_id, id)))?.id;
}

/**
 * As `findByPublicId`, for a transaction that gives the row to a conversation. A removal waits until the transaction ends, and then
 * finds that conversation; one that is under way is waited for.
 */
export async function holdByPublicId(
  tx: Transaction,
  kind: 'team' | 'stage',
  workspace_id: string,
  public_id: string,
): Promise<string | undefined> {
  const id = parseId(kind, public_id);
  return id && (await runFirst(tx, selectPresent(kind, workspace_id, id).forShare()))?.id;
}

function selectPresent(kind: Kind, workspace_id: string, id: string) {
  return build
    .selectFrom(tables[kind])
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .$if(removable.includes(kind), (named) => named.where(sql<boolean>`removed_at is null`));
}
