import type { ConversationRow } from '../../conversations/present.ts';
import type { Pool } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { AskedRows, ToldRow } from '../../live/told-rows.ts';
import type { Clock } from '../../process/clock.ts';
import { type OwnPart, readOwnParts } from '../own-parts.ts';
import { showPlaced } from './list-view.ts';
import { type Preview, presentOwn, presentShared, readPreviews } from './present-rows.ts';

// By key, in a database that was never analysed too. A contact has few conversations.
const selectOf = statement<{ id: string }>(`
  select c.id from unnest($2::uuid[]) n (id) cross join lateral (
    select id from conversations o where o.workspace_id = $1 and o.contact_id = n.id offset 0) c`);

/** The rows of conversations for the live streams of several people, by conversation. */
export async function readToldRows(
  { pool, clock }: { pool: Pool; clock: Clock },
  { workspace_id, contact_ids, user_ids, ...asked }: AskedRows,
): Promise<Map<string, ToldRow>> {
  const ofContacts = contact_ids.length > 0 ? await selectOf(pool, [workspace_id, contact_ids]) : [];
  const conversation_ids = [...new Set([...asked.conversation_ids, ...ofContacts.map(({ id }) => id)])];
  const placed = conversation_ids.map((id) => ({ id, place: ['', id] as [string, string] }));
  const [rows, previews, parts] = await Promise.all([
    showPlaced(pool, { workspace_id }, placed),
    readPreviews(pool, workspace_id, conversation_ids),
    readOwnParts(pool, { workspace_id, user_ids, conversation_ids }),
  ]);
  const partsOf = Map.groupBy(parts, ({ conversation_id }) => conversation_id);
  const now = clock.now();
  return new Map(
    rows.flatMap((row) => {
      const preview = previews.get(row.id);
      return preview ? [[row.id, tellRow(row, preview, { parts: partsOf.get(row.id) ?? [], now })]] : [];
    }),
  );
}

function tellRow(
  row: ConversationRow,
  preview: Preview,
  { parts, now }: { parts: readonly OwnPart[]; now: Date },
): ToldRow {
  const { message_id, snoozed_until } = preview;
  return {
    contact_id: row.contact_id,
    assignee_id: row.assignee_id,
    team_id: row.team_id,
    message_id,
    is_snoozed: snoozed_until !== null && snoozed_until > now,
    shared: presentShared(row, preview),
    own: new Map(parts.map((part) => [part.user_id, presentOwn(part)])),
  };
}
