import type { ErasedContact } from '../contacts/erase/contact-holder.ts';
import { newId } from '../database/ids.ts';
import { statement } from '../database/query.ts';
import { cutText } from '../database/storable-text.ts';
import type { Transaction } from '../database/transaction.ts';
import type { IgnoredItem } from '../platform/items.ts';
import type { Clock } from '../process/clock.ts';
import type { Placed } from './placed-item.ts';

// The newest of a workspace, of 64 MB at most.
const mostNotices = 1_000;
const mostCharacters = 65_536;

const insertNotices = statement(`
  insert into platform_notices (workspace_id, id, channel_id, field, reason, raw, received_at)
  select workspace_id, id, channel_id, field, reason, raw, $2
  from json_to_recordset($1) as n (workspace_id uuid, id uuid, channel_id uuid, field text, reason text, raw text)`);

const deleteOldest = statement(`
  delete from platform_notices where workspace_id = $1 and id <= (
    select id from platform_notices where workspace_id = $1 order by id desc offset ${mostNotices} limit 1)`);

/** Keeps what the platform reported and the service does not apply: the newest of each workspace, cut where they are long. */
export async function keepNotices(
  tx: Transaction,
  clock: Clock,
  placed: readonly Placed<IgnoredItem>[],
): Promise<void> {
  const rows = placed.flatMap(({ channel: { workspace_id, id: channel_id }, item: { field = '', reason, raw } }) =>
    raw === undefined
      ? []
      : [
          {
            workspace_id,
            id: newId(clock),
            channel_id,
            field,
            reason,
            raw: cutText(JSON.stringify(raw), mostCharacters),
          },
        ],
  );
  if (rows.length === 0) return;
  await insertNotices(tx, [JSON.stringify(rows), clock.now()]);
  for (const workspace_id of new Set(rows.map((row) => row.workspace_id))) await deleteOldest(tx, [workspace_id]);
}

const deleteNaming = statement(`
  delete from platform_notices where workspace_id = $1
    and exists (select from unnest($2::text[]) as name where strpos(raw, name) > 0)`);

/** Removes the notices that name a person, by a former name too. */
export async function eraseNotices(
  tx: Transaction,
  { workspace_id, names, former_names }: ErasedContact,
): Promise<void> {
  await deleteNaming(tx, [workspace_id, [...names, ...former_names]]);
}
