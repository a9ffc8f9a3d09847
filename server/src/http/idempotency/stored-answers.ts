import { createHash } from 'node:crypto';
import { limits } from '@majlis/contract';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../reply/refusal.ts';

/** What names a write: the same key of another workspace, method or path is another write. */
export interface WriteKey {
  workspace_id: string;
  /** Method and path. */
  operation: string;
  key: string;
  /** Of the body; equal for equal JSON values. */
  fingerprint: Buffer;
}

export interface Answer {
  status: number;
  body: unknown;
  /** Whose data the body holds: the answer is forgotten when they are erased. */
  about?: { conversation_id: string } | { contact_id: string };
}

/** One text for one key, for comparing and locking. */
export function keyText({ workspace_id, operation, key }: WriteKey): string {
  return `${workspace_id} ${operation} ${key}`;
}

// Locked in one order, so that two batches with the same keys cannot wait for each other. Its own statement: the
// next one must see what the holder of a lock committed.
const lockKeys = statement(`
  select pg_advisory_xact_lock(key) from (select distinct key from unnest($1::bigint[]) as key order by key) as sorted`);

const selectAnswers = statement<WriteKey & { status: number; body: string; created_at: Date }>(`
  select k.workspace_id, k.operation, k.key, k.fingerprint, k.status, k.body, k.created_at
  from json_to_recordset($1) as wanted (workspace_id uuid, operation text, key text)
  join idempotency_keys k using (workspace_id, operation, key)`);

const columns = 'workspace_id, operation, key, fingerprint, status, body, conversation_id, contact_id';

const insertAnswers = statement(`
  insert into idempotency_keys (${columns}, created_at)
  select ${columns}, $2 from json_populate_recordset(null::idempotency_keys, $1)
  on conflict (workspace_id, operation, key) do update set
    fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
    conversation_id = excluded.conversation_id, contact_id = excluded.contact_id, created_at = excluded.created_at`);

/**
 * Waits until no other transaction works on these keys, then answers what is remembered of each: the first answer, a
 * refusal where the body differs, or undefined for a key that is new or forgotten after 24 hours.
 */
export async function recall(tx: Transaction, keys: WriteKey[], now: Date): Promise<(Answer | Refusal | undefined)[]> {
  if (keys.length === 0) return [];
  const wanted = keys.map(({ workspace_id, operation, key }) => ({ workspace_id, operation, key }));
  // Sent together; the second statement runs, and takes its view of the data, when the locks are held.
  const [, rows] = await Promise.all([
    lockKeys(tx, [keys.map(lockNumber)]),
    selectAnswers(tx, [JSON.stringify(wanted)]),
  ]);
  const known = new Map(rows.map((row) => [keyText(row), row]));
  return keys.map((key) => {
    const row = known.get(keyText(key));
    if (!row || now.getTime() - row.created_at.getTime() >= limits.idempotency_key_seconds * 1000) {
      return undefined;
    }
    // One that was erased with a contact in the body equals any.
    const isErased = row.fingerprint.length === 0;
    if (!isErased && !row.fingerprint.equals(key.fingerprint)) return new Refusal('idempotency_conflict');
    return { status: row.status, body: JSON.parse(row.body) };
  });
}

/** Remembers first answers, in the transaction of their effects. */
export async function remember(
  tx: Transaction,
  answers: { key: WriteKey; answer: Answer }[],
  now: Date,
): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map(({ key, answer }) => ({
    ...key,
    fingerprint: `\\x${key.fingerprint.toString('hex')}`,
    status: answer.status,
    body: JSON.stringify(answer.body),
    ...answer.about,
  }));
  await insertAnswers(tx, [JSON.stringify(rows), now]);
}

function lockNumber(key: WriteKey): string {
  return createHash('sha256').update(keyText(key)).digest().readBigInt64BE().toString();
}
