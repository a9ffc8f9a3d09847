import { sign } from 'node:crypto';
import type { ErasedCounts, ErasureReceipt } from '@majlis/console-api';
import { newId, publicId } from '../../../database/ids.ts';
import { statement } from '../../../database/query.ts';
import type { Transaction } from '../../../database/transaction.ts';
import type { Resources } from '../../../process/resources.ts';
import { requireSigningKey } from './receipt-keys.ts';
import { signedText } from './verify-receipt.ts';

/** A person by id, or an API key by prefix. */
export interface EraserActor {
  kind: 'user' | 'api_key';
  id: string;
}

const insertReceipt = statement(`
  insert into erasure_receipts (workspace_id, id, key_id, receipt, signature) values ($1, $2, $3, $4, $5)`);

interface Erasure {
  workspace_id: string;
  contact_id: string;
  actor: EraserActor;
  deleted: ErasedCounts;
}

/** Signs what an erasure deletes, in its transaction: no erasure is without a receipt, and no receipt without an erasure. */
export async function writeReceipt(
  tx: Transaction,
  resources: Pick<Resources, 'clock' | 'secretBox'>,
  { workspace_id, contact_id, actor, deleted }: Erasure,
): Promise<void> {
  const { clock } = resources;
  const key = await requireSigningKey(tx, resources);
  const id = newId(clock);
  const receipt: ErasureReceipt = {
    version: 1,
    kind: 'contact_erasure',
    id: publicId('erasure_receipt', id),
    workspace_id: publicId('workspace', workspace_id),
    contact_id: publicId('contact', contact_id),
    erased_at: clock.now().toISOString(),
    actor,
    deleted,
  };
  const text = signedText(receipt);
  await insertReceipt(tx, [workspace_id, id, key.id, text, sign(null, Buffer.from(text), key.private_key)]);
}
