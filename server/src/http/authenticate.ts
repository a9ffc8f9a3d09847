import { coalesce } from '../concurrency/batch.ts';
import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import { parseApiKey, readBearer } from './api-key.ts';

/** Who makes a request: a key, and with it its workspace. */
export interface Caller {
  workspace_id: string;
  workspace_name: string;
  /** ISO 3166-1 alpha-2: gives local phone numbers their country. */
  country: string | null;
  environment: string;
  key_prefix: string;
  scopes: string[];
  /** The user who made the key, where known. */
  created_by: string | null;
}

const findKeys = statement<Caller & { key_hash: Buffer }>(`
  select k.workspace_id, w.name as workspace_name, w.country, k.environment, k.key_prefix, k.scopes, k.created_by,
    k.key_hash
  from api_keys k join workspaces w on w.id = k.workspace_id
  where k.key_hash = any($1::bytea[]) and k.revoked_at is null`);

/**
 * Reads the caller from the Authorization header; undefined for a missing, malformed, unknown or revoked key, all
 * alike. Nothing is cached: requests that arrive together share one look-up, and a revoked key is refused by the very
 * next request of every process.
 */
export function createAuthenticate(pool: Pool): (authorization: string | undefined) => Promise<Caller | undefined> {
  const find = coalesce(
    async (hashes: Buffer[]) => {
      const rows = await findKeys(pool, [hashes]);
      const byHash = new Map(rows.map(({ key_hash, ...caller }) => [key_hash.toString('hex'), caller]));
      return hashes.map((hash) => byHash.get(hash.toString('hex')));
    },
    { concurrency: 2, fails_all: () => true },
  );
  return async (authorization) => {
    const key = parseApiKey(readBearer(authorization) ?? '');
    return key && find(key.key_hash);
  };
}
