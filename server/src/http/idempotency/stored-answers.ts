import { createHash } from 'node:crypto';
import { limits } from '@majlis/contract';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { Refusal } from '../reply/refusal.ts';

/** Identifies a write: the same key of another workspace, method or path belongs to another write. */
export interface WriteKey {
  workspace_id: string;
  /** Method and path. */
  operation: string;
  key: string;
  /** The body's fingerprint, equal for equal JSON values. */
  fingerprint: Buffer;
}

export type AnswerSubject = { conversation_id: string } | { contact_id: string };

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string> | undefined;
  /** The owner of the body's data. Its erasure deletes the stored answer. */
  about?: AnswerSubject | undefined;
}

/** One text for one key, for comparing and locking. */
export function keyText({ workspace_id, operation, key }: WriteKey): string {
  return `${workspace_id} ${operation} ${key}`;
}

// The order keeps two batches with the same keys from a deadlock. It is a statement of its own, because the next one must
// see the commit of a lock's former holder.
const lockKeys = statement(`
  select pg_advisory_xact_lock(key) from (select distinct key from unnest($1::bigint[]) as key order by key) as sorted`);

interface StoredAnswer extends WriteKey {
  status: number;
  body: string;
  headers: string | null;
  created_at: Date;
  conversation_id: string | null;
  contact_id: string | null;
}

const selectAnswers = statement<StoredAnswer>(`
  select k.workspace_id, k.operation, k.key, k.fingerprint, k.status, k.body, k.headers, k.created_at, k.conversation_id, k.contact_id
  from json_to_recordset($1) as wanted (workspace_id uuid, operation text, key text)
  join idempotency_keys k using (workspace_id, operation, key)`);

const columns = 'workspace_id, operation, key, fingerprint, status, body, headers, conversation_id, contact_id';

const insertAnswers = statement(`
  insert into idempotency_keys (${columns}, created_at)
  select ${columns}, $2 from json_populate_recordset(null::idempotency_keys, $1)
  on conflict (workspace_id, operation, key) do update set
    fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, headers = excluded.headers,
    conversation_id = excluded.conversation_id, contact_id = excluded.contact_id, created_at = excluded.created_at`);

/**
 * Waits until no other transaction works on these keys, then reads their stored answers. A different body gives a refusal; a
 * new key, or one older than 24 hours, gives undefined.
 */
export async function recall(tx: Transaction, keys: WriteKey[], now: Date): Promise<(Answer | Refusal | undefined)[]> {
  if (keys.length === 0) return [];
  const wanted = keys.map(({ workspace_id, operation, key }) => ({ workspace_id, operation, key }));
  // Sent together: the second statement takes its snapshot after the first has the locks.
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
    // The fingerprint was emptied with the erasure of a contact in the body, so any body matches.
    const isErased = row.fingerprint.length === 0;
    if (!isErased && !row.fingerprint.equals(key.fingerprint)) return new Refusal('idempotency_conflict');
    const headers = row.headers === null ? undefined : JSON.parse(row.headers);
    return { status: row.status, body: JSON.parse(row.body), headers, about: aboutOf(row) };
  });
}

function aboutOf({ conversation_id, contact_id }: StoredAnswer): Answer['about'] {
  if (conversation_id !== null) return { conversation_id };
  return contact_id === null ? undefined : { contact_id };
}

/** Stores first answers in the transaction of their effects. */
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
    headers: answer.headers && JSON.stringify(answer.headers),
    ...answer.about,
  }));
  await insertAnswers(tx, [JSON.stringify(rows), now]);
}

function lockNumber(key: WriteKey): string {
  return createHash('sha256').update(keyText(key)).digest().readBigInt64BE().toString();
}
