import { sql } from 'kysely';
import type { Connection } from '../../database/pool.ts';
import { run } from '../../database/query.ts';
import { contactColumns } from '../find-contact.ts';
import type { ContactRow } from '../present.ts';

/**
 * Contacts by id, the oldest first. The list of the inbox orders by activity: a contact that becomes active between two pages
 * would be on neither.
 */
export function listForExport(
  connection: Connection,
  workspace_id: string,
  { after_id, count }: { after_id: string | undefined; count: number },
): Promise<ContactRow[]> {
  const behind = after_id === undefined ? sql`true` : sql`c.id > ${after_id}`;
  return run(
    connection,
    sql<ContactRow>`select ${contactColumns} from contacts c
      where c.workspace_id = ${workspace_id} and ${behind} order by c.id limit ${count}`,
  );
}
