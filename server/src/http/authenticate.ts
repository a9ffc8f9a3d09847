import { coalesce } from '../concurrency/batch.ts';
import type { Pool } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Clock } from '../process/clock.ts';
import { parseApiKey, readBearer } from './api-key.ts';
import { createNoteKeyUse, type UsedKey } from './note-key-use.ts';

/** Who makes a request, in a workspace: an API key or a person. */
export interface Caller {
  workspace_id: string;
  workspace_name: string;
  /** ISO 3166-1 alpha-2: gives local phone numbers their country. */
  country: string | null;
  /** The user who acts: the person, or the creator of the key where known. */
  user_id: string | null;
  /** Absent for an API key. */
  is_person?: true;
  /** Sees only the conversations that are assigned to the user or to a team of theirs. */
  own_teams_only?: boolean;
  /** An API key without the scope of sending: what it does starts no workflow. */
  starts_no_workflows?: boolean;
  /** Of a person's send: the newest reply that they have seen; null: none. Absent: nothing is compared. */
  seen_reply_id?: string | null;
}

export interface KeyCaller extends Caller {
  key_id: string;
  /** When the key was found, as milliseconds. */
  found_ms: number;
  environment: string;
  key_prefix: string;
  scopes: string[];
}

const findKeys = statement<Omit<KeyCaller, 'found_ms'> & UsedKey & { key_hash: Buffer }>(`
  select k.workspace_id, w.name as workspace_name, w.country, k.environment, k.key_prefix, k.scopes,
    k.created_by as user_id, k.key_hash, k.id as key_id, k.last_used_at
  from api_keys k join workspaces w on w.id = k.workspace_id
  where k.key_hash = any($1::bytea[]) and k.revoked_at is null`);

/**
 * Reads the caller from the Authorization header; undefined for a missing, malformed, unknown or revoked key, all
 * alike. Nothing is cached: requests that arrive together share one look-up, and a revoked key is refused by the very
 * next request of every process.
 */
export function createAuthenticate(
  pool: Pool,
  clock: Pick<Clock, 'now' | 'nowMs'>,
): (authorization: string | undefined) => Promise<KeyCaller | undefined> {
  const noteUse = createNoteKeyUse(pool, clock);
  const find = coalesce(
    async (hashes: Buffer[]) => {
      const found_ms = clock.nowMs();
      const rows = await findKeys(pool, [hashes]);
      const byHash = new Map(
        rows.map(({ key_hash, last_used_at, ...caller }) => {
          noteUse({ workspace_id: caller.workspace_id, key_id: caller.key_id, last_used_at });
          return [key_hash.toString('hex'), { ...caller, found_ms }];
        }),
      );
      return hashes.map((hash) => byHash.get(hash.toString('hex')));
    },
    { concurrency: 2, fails_all: () => true },
  );
  return async (authorization) => {
    const key = parseApiKey(readBearer(authorization) ?? '');
    return key && find(key.key_hash);
  };
}
