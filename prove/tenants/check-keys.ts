import type { TestService } from '@majlis/testing/start-test-service';

/** Of the service as a whole: no row of theirs belongs to a workspace, or it is named by a reference that nobody chooses. */
const shared = new Set([
  'workspaces',
  'schema_migrations',
  'test_clock',
  'jobs',
  'job_groups',
  'queue_checks',
  'event_feed',
  'live_feed',
]);

/** People may belong to several workspaces, so they and what they sign in with belong to none. */
const ofPeople = new Set(['people', 'passkeys', 'recovery_codes', 'sessions', 'sign_in_challenges']);

/** The installation signs the receipts of all workspaces with its own keys. */
const ofInstallation = new Set(['receipt_keys']);

/** Tags are found by a digest, and their changes summed up in bulk; a link is found by the hash of its token; a live change by its position. */
const keyedOtherwise = new Set(['tags', 'tag_changes', 'sign_in_links', 'live_changes']);

/** What the catalogue says against it that every row of a workspace is found, and refers to others, through its workspace. */
export async function checkKeys({ sql }: Pick<TestService, 'sql'>): Promise<string[]> {
  const tables = await sql<{ name: string; has: boolean; keyed: boolean }>(`
    select c.relname as name, bool_or(a.attname = 'workspace_id') as has,
      exists (select from pg_constraint k join pg_attribute w on w.attrelid = c.oid and w.attname = 'workspace_id'
              where k.conrelid = c.oid and k.contype in ('p', 'u') and w.attnum = any (k.conkey)) as keyed
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by c.oid, c.relname`);
  const tenants = new Set(tables.filter(({ has }) => has).map(({ name }) => name));
  const references = await sql<{ name: string; of: string; to: string; bound: boolean }>(`
    select f.conname as name, f.conrelid::regclass::text as of, f.confrelid::regclass::text as to,
      exists (select from unnest(f.conkey, f.confkey) as p (near, far)
              join pg_attribute a on a.attrelid = f.conrelid and a.attnum = p.near and a.attname = 'workspace_id'
              join pg_attribute b on b.attrelid = f.confrelid and b.attnum = p.far
                and b.attname in ('workspace_id', 'id') and (b.attname = 'workspace_id' or f.confrelid = 'workspaces'::regclass)
             ) as bound
    from pg_constraint f where f.contype = 'f'`);
  const isAbove = (name: string) => ofPeople.has(name) || ofInstallation.has(name);
  return [
    ...tables
      .filter(({ name, has }) => !has && !shared.has(name) && !isAbove(name))
      .map(({ name }) => `${name} has no workspace_id`),
    ...tables
      .filter(({ name, has, keyed }) => has && !keyed && !keyedOtherwise.has(name))
      .map(({ name }) => `no key of ${name} has workspace_id`),
    ...references
      .filter(({ of, to, bound }) => !bound && !isAbove(to) && (tenants.has(of) || tenants.has(to)))
      .map(({ name, of, to }) => `${name} leads from ${of} to ${to} without workspace_id`),
  ];
}
