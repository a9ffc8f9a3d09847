import type { SignedReceipt } from '@majlis/console-api';
import type { Connection } from '../../../database/pool.ts';
import { statement } from '../../../database/query.ts';

export interface StoredReceipt {
  id: string;
  key_id: string;
  receipt: string;
  signature: Buffer;
}

const selectReceipts = statement<StoredReceipt>(`
  select id, key_id, receipt, signature from erasure_receipts
  where workspace_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or receipt::json ->> 'contact_id' = $3)
  order by id desc limit $4`);

/** Newest first. */
export function listReceipts(
  connection: Connection,
  workspace_id: string,
  { before, contact_id, count }: { before: string | undefined; contact_id: string | undefined; count: number },
): Promise<StoredReceipt[]> {
  return selectReceipts(connection, [workspace_id, before ?? null, contact_id ?? null, count]);
}

export function presentReceipt({ key_id, receipt, signature }: StoredReceipt): SignedReceipt {
  return { receipt: JSON.parse(receipt), algorithm: 'Ed25519', key_id, signature: signature.toString('base64') };
}
