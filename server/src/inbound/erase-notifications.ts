import type { ErasedContact } from '../contacts/erase/contact-holder.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { replacePayloads } from '../jobs/queries.ts';
import { parsePlatformJson } from '../platform/parse-platform-json.ts';
import { forgetPerson } from '../platform/webhook/forget-person.ts';
import { parseWebhook } from '../platform/webhook/parse-webhook.ts';
import { processWebhook, readWebhook, writeWebhook } from './jobs.ts';

const selectNaming = statement<{ id: number; payload: string }>(`
  select j.id, j.payload from channels ch
  join jobs j on j.kind = $3 and j.group_id = ch.id
  where ch.workspace_id = $1 and exists (select from unnest($2::text[]) as name where strpos(j.payload, name) > 0)
  order by j.id
  for update of j`);

/**
 * Removes a contact's messages and statuses from stored notifications that are not processed yet. A worker that is processing
 * one loses its job, so its transaction rolls back.
 */
export async function eraseNotifications(tx: Transaction, { workspace_id, names }: ErasedContact): Promise<void> {
  const gone = new Set(names);
  const rows = await selectNaming(tx, [workspace_id, names, processWebhook]);
  const replaced = rows.flatMap(({ id, payload }) => {
    const { signed_by, body } = readWebhook(payload);
    const before = parsePlatformJson(body);
    const left = forgetPerson(before, gone);
    if (left === before) return [];
    const hasItems = parseWebhook(left).length > 0;
    return [{ id, payload: hasItems ? writeWebhook({ signed_by, body: JSON.stringify(left) }) : null }];
  });
  await replacePayloads(tx, replaced);
}
