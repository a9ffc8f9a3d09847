import { createPublicKey, verify } from 'node:crypto';
import { type ReceiptKey, SignedReceipt } from '@majlis/console-api';
import canonicalize from 'canonicalize';
import { Value } from 'typebox/value';
import { idOfKey } from './receipt-keys.ts';

/** The bytes under the signature: canonical JSON (RFC 8785), so that a receipt may be formatted in any way. */
export function signedText(receipt: unknown): string {
  return canonicalize(receipt) ?? '';
}

export type ReceiptVerdict = { valid: true; signed: SignedReceipt } | { valid: false; reason: string };

/** Whether one of these keys signed the receipt. Needs nothing of the service that issued it. */
export function verifyReceipt(document: unknown, keys: readonly Pick<ReceiptKey, 'public_key'>[]): ReceiptVerdict {
  if (!Value.Check(SignedReceipt, document)) return { valid: false, reason: 'it is not a receipt of an erasure' };
  const key = keys.find(({ public_key }) => idOfKey(public_key) === document.key_id);
  if (!key) return { valid: false, reason: `it names the key ${document.key_id}, which is none of the given ones` };
  const signature = Buffer.from(document.signature, 'base64');
  const text = Buffer.from(signedText(document.receipt));
  if (verify(null, text, createPublicKey(key.public_key), signature)) return { valid: true, signed: document };
  return { valid: false, reason: 'its signature does not fit: the receipt was changed' };
}
