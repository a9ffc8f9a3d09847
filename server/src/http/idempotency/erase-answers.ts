import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

const deleteByConversations = statement(`
  delete from idempotency_keys where workspace_id = $1 and conversation_id = any ($2::uuid[])`);
const deleteByContact = statement(`delete from idempotency_keys where workspace_id = $1 and contact_id = $2`);

interface Erased {
  workspace_id: string;
  contact_id: string;
  conversation_ids: string[];
}

/**
 * Deletes the keys whose answers show this contact or its messages (hazard H23). The whole row goes: an attacker could find
 * the number behind the fingerprint by trying all numbers.
 */
export async function eraseAnswers(tx: Transaction, erased: Erased): Promise<void> {
  await Promise.all([
    eraseConversationAnswers(tx, erased.workspace_id, erased.conversation_ids),
    deleteByContact(tx, [erased.workspace_id, erased.contact_id]),
  ]);
}

/** Deletes the keys whose answers show messages of these conversations. */
export async function eraseConversationAnswers(
  tx: Transaction,
  workspace_id: string,
  conversation_ids: readonly string[],
): Promise<void> {
  await deleteByConversations(tx, [workspace_id, conversation_ids]);
}

const moveByContact = statement(`
  update idempotency_keys set contact_id = $2 where workspace_id = $1 and contact_id = $3`);

/** Reassigns stored answers after a merge, unchanged. An erasure of the surviving contact deletes them too. */
export async function moveAnswers(
  tx: Transaction,
  { workspace_id, survivor_id, source_id }: { workspace_id: string; survivor_id: string; source_id: string },
): Promise<void> {
  await moveByContact(tx, [workspace_id, survivor_id, source_id]);
}

const selectNaming = statement<{ key: string; body: string }>(`
  select key, body from idempotency_keys
  where workspace_id = $1 and operation = $2 and exists (select from unnest($3::text[]) as name where strpos(body, name) > 0)
  order by key for update`);
// The fingerprint is emptied: given the other recipients, trying all numbers would find the erased one. A repeated key then
// gets the answer for any body.
const updateBodies = statement(`
  update idempotency_keys k set body = n.body, fingerprint = '' from json_to_recordset($3) as n (key text, body text)
  where k.workspace_id = $1 and k.operation = $2 and k.key = n.key`);

/**
 * Removes a contact from stored answers that show many contacts. Deleting such a key would let a repeated write act on all
 * the others once more.
 */
export async function redactAnswers(
  tx: Transaction,
  { workspace_id, operation, names }: { workspace_id: string; operation: string; names: string[] },
  redact: (body: unknown) => unknown,
): Promise<void> {
  const rows = await selectNaming(tx, [workspace_id, operation, names]);
  if (rows.length === 0) return;
  const redacted = rows.map(({ key, body }) => ({ key, body: JSON.stringify(redact(JSON.parse(body))) }));
  await updateBodies(tx, [workspace_id, operation, JSON.stringify(redacted)]);
}
