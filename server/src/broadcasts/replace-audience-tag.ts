import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

const replace = statement(`
  update broadcasts set tags = case when tags @> array[$3::text] then array_remove(tags, $2::text)
    else array_replace(tags, $2::text, $3::text) end
  where workspace_id = $1 and status = 'scheduled' and tags @> array[$2::text]`);

/** A scheduled broadcast follows the new name of a tag. One whose tag was taken away keeps it, and reaches nobody by it. */
export async function replaceAudienceTag(
  connection: Connection,
  workspace_id: string,
  { from, to }: { from: string; to: string | null },
): Promise<void> {
  if (to !== null) await replace(connection, [workspace_id, from, to]);
}
