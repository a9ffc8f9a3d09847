import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { searchKey } from '../../database/search-key.ts';

export interface ContactActivity {
  workspace_id: string;
  id: string;
  at: Date;
  /** The name they chose for themselves; it never replaces one that was given to a contact. */
  profile_name?: string | undefined;
}

// Locked in one order, like conversations: batches that share contacts wait, they do not deadlock.
const update = statement(`
  with activity as (
    select * from json_to_recordset($1) as a (workspace_id uuid, id uuid, at timestamptz, name text, name_key text)
  ), locked as materialized (
    select c.workspace_id, c.id, a.at, a.name, a.name_key from contacts c join activity a using (workspace_id, id)
    where c.last_activity_at is null or c.last_activity_at < a.at or (c.name is null and a.name is not null)
    order by c.workspace_id, c.id for no key update of c
  )
  update contacts c set last_activity_at = greatest(c.last_activity_at, a.at), name = coalesce(c.name, a.name),
    name_key = case when c.name is null and a.name is not null then a.name_key else c.name_key end
  from locked a
  where c.workspace_id = a.workspace_id and c.id = a.id`);

/** Records when contacts were last active, and a name for those who had none. */
export async function touchContacts(connection: Connection, activities: readonly ContactActivity[]): Promise<void> {
  if (activities.length > 0) await update(connection, [JSON.stringify(latestOfEach(activities))]);
}

const begin = statement(`
  with locked as materialized (
    select c.workspace_id, c.id, a.at
    from contacts c join json_to_recordset($1) as a (workspace_id uuid, id uuid, at timestamptz) using (workspace_id, id)
    where c.last_activity_at is null
    order by c.workspace_id, c.id for no key update of c
  )
  update contacts c set last_activity_at = a.at
  from locked a
  where c.workspace_id = a.workspace_id and c.id = a.id and c.last_activity_at is null`);

/** Records when contacts were first written to; those of whom something was heard before stay as they are. */
export async function beginActivity(
  connection: Connection,
  written: readonly { workspace_id: string; id: string; at: Date }[],
): Promise<void> {
  if (written.length > 0) await begin(connection, [JSON.stringify(written)]);
}

function latestOfEach(activities: readonly ContactActivity[]) {
  const byContact = new Map<string, { workspace_id: string; id: string; at: Date; name?: string; name_key?: string }>();
  for (const { workspace_id, id, at, profile_name } of activities) {
    const known = byContact.get(id);
    byContact.set(id, {
      workspace_id,
      id,
      ...(known?.name !== undefined && { name: known.name, name_key: known.name_key! }),
      ...(profile_name && { name: profile_name, name_key: searchKey(profile_name) }),
      at: known && known.at > at ? known.at : at,
    });
  }
  return [...byContact.values()];
}
