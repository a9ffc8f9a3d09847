import { sql } from 'kysely';
import { parseId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { build, runFirst } from '../database/query.ts';

const tables = {
  user: 'users',
  team: 'teams',
  stage: 'stages',
  closing_category: 'closing_categories',
  ai_agent: 'ai_agents',
} as const;

const removable: readonly (keyof typeof tables)[] = ['team', 'stage', 'closing_category'];

/** The id of a row of the workspace by its public id. Undefined where there is none. */
export async function findByPublicId(
  connection: Connection,
  kind: keyof typeof tables,
  workspace_id: string,
  public_id: string,
): Promise<string | undefined> {
  const id = parseId(kind, public_id);
  if (!id) return undefined;
  const query = build
    .selectFrom(tables[kind])
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .$if(removable.includes(kind), (named) => named.where(sql<boolean>`removed_at is null`));
  return (await runFirst(connection, query))?.id;
}
