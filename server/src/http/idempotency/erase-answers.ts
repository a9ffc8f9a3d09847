import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';

const deleteByConversation = statement(`
  delete from idempotency_keys where workspace_id = $1 and conversation_id = any ($2::uuid[])`);
const deleteByContact = statement(`delete from idempotency_keys where workspace_id = $1 and contact_id = $2`);

interface Erased {
  workspace_id: string;
  contact_id: string;
  conversation_ids: string[];
}

/**
 * Forgets the keys whose answers show this contact or its messages. The whole row goes: the fingerprint is of a body
 * that named a number, and there are few enough numbers to try them all.
 */
export async function eraseAnswers(tx: Transaction, erased: Erased): Promise<void> {
  await Promise.all([
    deleteByConversation(tx, [erased.workspace_id, erased.conversation_ids]),
    deleteByContact(tx, [erased.workspace_id, erased.contact_id]),
  ]);
}

const moveByContact = statement(`
  update idempotency_keys set contact_id = $2 where workspace_id = $1 and contact_id = $3`);

/** The answers stay as they were given; from now on they are part of what is erased with the survivor. */
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
// The fingerprint goes too: with the other recipients at hand, the number could be found by trying them all. Whoever
// repeats the key gets the answer, whatever the body.
const updateBodies = statement(`
  update idempotency_keys k set body = n.body, fingerprint = '' from json_to_recordset($3) as n (key text, body text)
  where k.workspace_id = $1 and k.operation = $2 and k.key = n.key`);

/**
 * Takes a contact out of the answers of an operation that show many: to forget such a key would let the same write act
 * on all the others once more.
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
