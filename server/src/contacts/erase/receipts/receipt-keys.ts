import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { ReceiptKey } from '@majlis/console-api';
import type { Connection, Pool } from '../../../database/pool.ts';
import { statement } from '../../../database/query.ts';
import { type Transaction, transaction } from '../../../database/transaction.ts';
import type { Resources } from '../../../process/resources.ts';
import { isOpenable } from '../../../secrets/encrypt.ts';
import { resealOpenable } from '../../../secrets/reseal-openable.ts';
import { type SealedRows, sealedPageSize } from '../../../secrets/sealed-rows.ts';

interface StoredKey {
  id: string;
  public_key: string;
  private_key: Buffer;
  created_at: Date;
}

export interface SigningKey {
  id: string;
  private_key: KeyObject;
}

const idCharacters = 16;

/** The id is part of the hash of the public key, so that nobody can give another key the same id. */
export function idOfKey(public_key: string): string {
  const der = createPublicKey(public_key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex').slice(0, idCharacters);
}

const contextOf = (id: string) => `receipt_keys.private_key/${id}`;

const selectKeys = statement<StoredKey>(`
  select id, public_key, private_key, created_at from receipt_keys order by created_at desc, id`);
// One process makes the first key; the others wait and find it.
const lockKeys = statement<{ is_locked: boolean }>(
  `select true as is_locked from pg_advisory_xact_lock(hashtextextended('receipt_keys', 0))`,
);
const insertKey = statement(`
  insert into receipt_keys (id, public_key, private_key, created_at) values ($1, $2, $3, $4)`);

/** The newest key that opens. Without one, as before the first start or after a loss of SECRET_KEY, a new one is made. */
export async function requireSigningKey(
  tx: Transaction,
  { clock, secretBox }: Pick<Resources, 'clock' | 'secretBox'>,
): Promise<SigningKey> {
  const openable = async () => (await selectKeys(tx, [])).find(({ private_key }) => isOpenable(secretBox, private_key));
  let key = await openable();
  if (!key) {
    await lockKeys(tx, []);
    key = await openable();
  }
  if (key) return { id: key.id, private_key: createPrivateKey(secretBox.open(key.private_key, contextOf(key.id))) };
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const id = idOfKey(public_key);
  const sealed = secretBox.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), contextOf(id));
  await insertKey(tx, [id, public_key, sealed, clock.now()]);
  return { id, private_key: privateKey };
}

/** At the start, so that the public key can be read before the first erasure. */
export async function ensureReceiptKey({
  pool,
  ...resources
}: { pool: Pool } & Pick<Resources, 'clock' | 'secretBox'>): Promise<void> {
  await transaction(pool, (tx) => requireSigningKey(tx, resources));
}

/** All public keys, newest first: a receipt stays valid after its key is replaced. */
export async function listReceiptKeys(connection: Connection): Promise<ReceiptKey[]> {
  const keys = await selectKeys(connection, []);
  return keys.map(({ id, public_key, created_at }) => ({ id, public_key, created_at: created_at.toISOString() }));
}

const selectSealed = statement<Pick<StoredKey, 'id' | 'private_key'>>(`
  select id, private_key from receipt_keys
  where id > $1 and (substring(private_key for 9) = any ($2::bytea[])) = $3 order by id limit $4`);
const updateSealed = statement('update receipt_keys set private_key = $3 where id = $1 and private_key = $2');

/** The private keys that sign receipts. */
export const sealedReceiptKeys: SealedRows = {
  what: 'receipt_keys',
  remedy: 'let the service sign with the new key that it has made: the public keys of old receipts stay',
  async list(connection, secretBox, { heads, is_among, after = [''] }) {
    const rows = await selectSealed(connection, [...after, heads, is_among, sealedPageSize]);
    return rows.map(({ id, private_key }) => ({
      position: [id],
      names: { key_id: id },
      async reseal(other) {
        await updateSealed(other, [id, private_key, resealOpenable(secretBox, private_key, contextOf(id))]);
      },
    }));
  },
};
