import { parseId } from '../../database/ids.ts';
import type { Connection } from '../../database/pool.ts';
import { statement } from '../../database/query.ts';
import { listSharedViews } from '../../inbox/saved-views.ts';
import type { FileView } from '../apply/workspace-file.ts';

const selectNames = statement<{ id: string; name: string }>(`
  select id, email as name from users where workspace_id = $1 and removed_at is null
  union all select id, name from stages where workspace_id = $1 and removed_at is null
  union all select id, name from teams where workspace_id = $1 and removed_at is null`);

/** The shared views with names for ids. A view of one contact, or of what was removed since, is left out: it finds nothing. */
export async function readSharedViews(connection: Connection, workspace_id: string): Promise<FileView[]> {
  const names = new Map((await selectNames(connection, [workspace_id])).map(({ id, name }) => [id, name]));
  const views = await listSharedViews(connection, workspace_id);
  return views.flatMap(({ name, filter: { assignee_id, stage_id, team_id, ...plain } }) => {
    const isNobody = assignee_id === 'me' || assignee_id === 'none';
    const named = {
      assignee: isNobody ? assignee_id : nameOf(names, 'user', assignee_id),
      stage: nameOf(names, 'stage', stage_id),
      team: nameOf(names, 'team', team_id),
    };
    const given = Object.entries(named).filter(([, value]) => value !== undefined);
    if (given.some(([, value]) => value === null)) return [];
    return [{ name, filter: { ...plain, ...Object.fromEntries(given) } }];
  });
}

/** Undefined without an id, null where nothing has it any more. */
function nameOf(names: ReadonlyMap<string, string>, kind: 'user' | 'stage' | 'team', public_id: string | undefined) {
  if (public_id === undefined) return undefined;
  return names.get(parseId(kind, public_id) ?? '') ?? null;
}
