import type { ErasedContact } from '../contacts/erase/contact-holder.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { type ReplacedPayload, replacePayloads } from '../jobs/queries.ts';
import { forgetInText } from './forget-in-text.ts';
import { readWebhook, retryRevision, smallBytes, splitWebhook, webhookKinds, writeWebhook } from './jobs.ts';
import { forgetInLarge } from './large-notifications.ts';

const selectNaming = statement<{ id: number; kind: string; payload: string }>(`
  select j.id, j.kind, j.payload from channels ch
  join jobs j on j.kind = any ($3) and j.group_id = ch.id
  where ch.workspace_id = $1 and exists (select from unnest($2::text[]) as name where strpos(j.payload, name) > 0)
  order by j.id
  for update of j`);

/**
 * Removes a contact's messages and statuses from stored notifications that are not processed yet, and edits that wait for a message. A worker that is processing
 * one loses its job, so its transaction rolls back.
 */
export async function eraseNotifications(tx: Transaction, { workspace_id, names }: ErasedContact): Promise<void> {
  const replaced: ReplacedPayload[] = [];
  for (const { id, kind, payload } of await selectNaming(tx, [workspace_id, names, [...webhookKinds, retryRevision]])) {
    if (kind === retryRevision) {
      replaced.push({ id, keeps_queue: false, payload: null });
      continue;
    }
    const { signed_by, body } = readWebhook(payload);
    const left = body.length <= smallBytes ? forgetInText(body, names) : await forgetInLarge(workspace_id, body, names);
    if (left === undefined) continue;
    replaced.push({ id, keeps_queue: kind === splitWebhook, payload: left && writeWebhook({ signed_by, body: left }) });
  }
  await replacePayloads(tx, replaced);
}
