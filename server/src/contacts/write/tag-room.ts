import { mapInSlices } from '../../concurrency/map-in-slices.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import type { Quotas } from '../../process/quotas.ts';
import { lockQuota, roomLeft, sayBeyond } from '../../workspaces/within-quota.ts';
import type { Fault } from '../read-contact.ts';

/** Takes the tags of one contact. Answers a fault, and takes none of them, where the workspace would have too many tags. */
export type TagRoom = (tags: readonly string[] | undefined) => Fault[];

const selectKnown = statement<{ name: string }>(`
  select n.name from json_array_elements_text($2) as n (name)
  where exists (select from tags t where t.workspace_id = $1 and md5(t.name) = md5(n.name))`);
// A tag stays behind where two transactions at once took it from its last contacts.
const deleteUnused = statement(`
  delete from tags t where t.workspace_id = $1 and t.may_be_unused and coalesce((
    select sum(c.change) from tag_changes c where c.workspace_id = $1 and c.name = t.name
      and hashtextextended(c.name, 0) = hashtextextended(t.name, 0)), 0) <= 0`);

/**
 * The room for the tags of these bodies. As a rule the workspace has them all, and nothing is counted. New ones are counted under a lock, which
 * precedes the locks of contacts, so that two writers of new tags cannot deadlock.
 */
export async function openTagRoom(
  tx: Transaction,
  quotas: Quotas,
  workspace_id: string,
  bodies: readonly { tags?: readonly string[] | undefined }[],
): Promise<TagRoom> {
  // A body of 4 MB names hundreds of thousands.
  const tags = new Set<string>();
  await mapInSlices(bodies, (body) => body.tags?.forEach((tag) => void tags.add(tag)));
  if ((await findUnknown(tx, workspace_id, tags)).size === 0) return () => [];
  const holder = { workspace_id, kind: 'tags' } as const;
  await lockQuota(tx, holder);
  const unknown = await findUnknown(tx, workspace_id, tags);
  let left = await roomLeft(tx, quotas, holder);
  if (left.count < unknown.size) {
    await deleteUnused(tx, [workspace_id]);
    left = await roomLeft(tx, quotas, holder);
  }
  return (given = []) => {
    const added = [...new Set(given)].filter((tag) => unknown.has(tag));
    const bytes = added.reduce((sum, tag) => sum + bytesOf(tag), 0);
    if (added.length > left.count || bytes > left.bytes) {
      const detail = sayBeyond(quotas, 'tags', added.length > left.count ? 'count' : 'bytes');
      return [{ code: 'unprocessable_content', detail, pointer: '/tags' }];
    }
    left.count -= added.length;
    left.bytes -= bytes;
    for (const tag of added) unknown.delete(tag);
    return [];
  };
}

async function findUnknown(connection: Connection, workspace_id: string, tags: ReadonlySet<string>) {
  const unknown = new Set(tags);
  if (unknown.size === 0) return unknown;
  // As JSON: the driver escapes an array letter by letter.
  const known = await selectKnown(connection, [workspace_id, JSON.stringify([...tags])]);
  for (const { name } of known) unknown.delete(name);
  return unknown;
}

/** Of the entry of a new tag in the list. */
function bytesOf(name: string): number {
  return Buffer.byteLength(JSON.stringify({ name, contacts: 1 }));
}
