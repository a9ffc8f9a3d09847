import { sql } from 'kysely';
import type { Connection } from '../database/pool.ts';
import { build, run, runFirst, statement } from '../database/query.ts';

// Saves go by natural key. Null values stay unchanged, and equal rows are not written.

export interface NewWorkspace {
  id: string;
  name: string;
  industry: string | null;
  country: string | null;
  timezone: string | null;
  language: string | null;
  plan: string | null;
  created_at: Date;
}

const upsertWorkspace = statement(`
  insert into workspaces as w (id, name, industry, country, timezone, language, plan, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (coalesce(file_name, name)) do update set
    industry = case when w.changed_at is null then coalesce(excluded.industry, w.industry) else w.industry end,
    country = case when w.changed_at is null then coalesce(excluded.country, w.country) else w.country end,
    timezone = case when w.changed_at is null then coalesce(excluded.timezone, w.timezone) else w.timezone end,
    language = case when w.changed_at is null then coalesce(excluded.language, w.language) else w.language end,
    plan = coalesce(excluded.plan, w.plan)
  where (w.industry, w.country, w.timezone, w.language, w.plan) is distinct from (
    coalesce(excluded.industry, w.industry), coalesce(excluded.country, w.country),
    coalesce(excluded.timezone, w.timezone), coalesce(excluded.language, w.language), coalesce(excluded.plan, w.plan))`);

/**
 * Answers the workspace's id. The upsert locks the row even without a change, so saves of one name run one after the other.
 */
export async function saveWorkspace(connection: Connection, workspace: NewWorkspace): Promise<string> {
  const { id, name, industry, country, timezone, language, plan, created_at } = workspace;
  await upsertWorkspace(connection, [id, name, industry, country, timezone, language, plan, created_at]);
  return (await findWorkspaceByName(connection, name))!.id;
}

/** By the operator's name for it. */
export function findWorkspaceByName(connection: Connection, name: string): Promise<{ id: string } | undefined> {
  // A person's name does not replace the operator's.
  const given = sql<string>`coalesce(file_name, name)`;
  return runFirst(connection, build.selectFrom('workspaces').select('id').where(given, '=', name));
}

export interface LiveApiKey {
  id: string;
  name: string;
  key_prefix: string;
}

/** The newest key of a name. */
export interface NamedApiKey extends LiveApiKey {
  environment: string;
  scopes: string[];
  revoked_at: Date | null;
  /** When a person made or revoked it. */
  changed_at: Date | null;
}

const selectNewest = statement<NamedApiKey>(`
  select distinct on (name) id, name, key_prefix, environment, scopes, revoked_at, changed_at from api_keys
  where workspace_id = $1 and name = any($2::text[]) order by name, revoked_at desc nulls first, id desc`);

/** Of each name the live key, or the one that was revoked last. */
export async function findNamedApiKeys(
  connection: Connection,
  workspace_id: string,
  names: readonly string[],
): Promise<NamedApiKey[]> {
  return names.length === 0 ? [] : selectNewest(connection, [workspace_id, names]);
}

/** The keys of these names that are not revoked. */
export function findLiveApiKeys(
  connection: Connection,
  workspace_id: string,
  names: readonly string[],
): Promise<LiveApiKey[]> {
  const query = build
    .selectFrom('api_keys')
    .select(['id', 'name', 'key_prefix'])
    .where('workspace_id', '=', workspace_id)
    .where('name', 'in', names)
    .where('revoked_at', 'is', null);
  return names.length === 0 ? Promise.resolve([]) : run(connection, query);
}

export interface NewApiKey extends LiveApiKey {
  environment: string;
  scopes: string[];
  key_hash: Buffer;
  created_by: string | null;
  created_at: Date;
  /** Of a key that a person makes. */
  changed_at?: Date;
}

export async function insertApiKeys(
  connection: Connection,
  workspace_id: string,
  keys: readonly NewApiKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await run(connection, build.insertInto('api_keys').values(keys.map((key) => ({ ...key, workspace_id }))));
}

export interface ApiKeyChange {
  id: string;
  environment: string | null;
  scopes: readonly string[] | null;
  created_by: string | null;
}

const updateApiKeys = statement(`
  update api_keys k set environment = coalesce(n.environment, k.environment), scopes = coalesce(n.scopes, k.scopes),
    created_by = coalesce(n.created_by, k.created_by)
  from json_to_recordset($2) as n (id uuid, environment text, scopes text[], created_by uuid)
  where k.workspace_id = $1 and k.id = n.id and (k.environment, k.scopes, k.created_by) is distinct from
    (coalesce(n.environment, k.environment), coalesce(n.scopes, k.scopes), coalesce(n.created_by, k.created_by))`);

export async function changeApiKeys(
  connection: Connection,
  workspace_id: string,
  changes: readonly ApiKeyChange[],
): Promise<void> {
  if (changes.length > 0) await updateApiKeys(connection, [workspace_id, JSON.stringify(changes)]);
}

export type ApiKeyRow = Omit<NewApiKey, 'key_hash' | 'changed_at'> & { last_used_at: Date | null };

/** The keys that are not revoked, oldest first. */
export function listLiveApiKeys(connection: Connection, workspace_id: string): Promise<ApiKeyRow[]> {
  const query = build
    .selectFrom('api_keys')
    .select(['id', 'name', 'environment', 'scopes', 'key_prefix', 'created_by', 'created_at', 'last_used_at'])
    .where('workspace_id', '=', workspace_id)
    .where('revoked_at', 'is', null)
    .orderBy('id');
  return run(connection, query);
}

/**
 * Takes effect with the next request. False where no live key has this id or this name. A person revokes by id, and a workspace
 * file does not make that key again; the operator revokes by name, and may.
 */
export async function revokeApiKey(
  connection: Connection,
  workspace_id: string,
  key: { id: string } | { name: string },
  now: Date,
): Promise<boolean> {
  const live = build
    .updateTable('api_keys')
    .set({ revoked_at: now, changed_at: 'id' in key ? now : null })
    .where('workspace_id', '=', workspace_id)
    .where('revoked_at', 'is', null)
    .returning('id');
  const query = 'id' in key ? live.where('id', '=', key.id) : live.where('name', '=', key.name);
  return (await run(connection, query)).length > 0;
}
