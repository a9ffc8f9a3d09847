import { isDeepStrictEqual } from 'node:util';
import type { ViewFilter } from '@majlis/console-api';
import { type IdKind, publicId } from '../../database/ids.ts';
import { statement } from '../../database/query.ts';
import type { Transaction } from '../../database/transaction.ts';
import { invalid } from '../../http/reply/refusal.ts';
import { listSharedViews, seedSharedView } from '../../inbox/saved-views.ts';
import type { Clock } from '../../process/clock.ts';
import type { Kept } from './kept.ts';
import { refuseUnder } from './refuse-under.ts';
import type { FileView } from './workspace-file.ts';

interface Applying {
  tx: Transaction;
  clock: Clock;
  workspace_id: string;
  kept: Kept[];
}

/** Makes the shared views that do not exist, by name. Two views may have one name, so the file is compared with what was there. */
export async function applyViews(applying: Applying, files: readonly FileView[]): Promise<void> {
  if (files.length === 0) return;
  const { tx, clock, workspace_id, kept } = applying;
  const stored = await listSharedViews(tx, workspace_id);
  for (const [index, { name, filter: named }] of files.entries()) {
    const filter = await readNames(applying, named, `/saved_views/${index}/filter`);
    const before = stored.filter((view) => view.name === name);
    if (before.length === 0) {
      await refuseUnder(`/saved_views/${index}`, () => seedSharedView(tx, clock, workspace_id, { name, filter }));
    } else if (!before.some((view) => isDeepStrictEqual(view.filter, filter))) {
      kept.push({ saved_view: name, member: 'filter', value: 'set by people', in_file: 'other' });
    }
  }
}

const selectIds = {
  user: statement<{ id: string }>('select id from users where workspace_id = $1 and email = $2 and removed_at is null'),
  stage: statement<{ id: string }>(`
    select id from stages where workspace_id = $1 and name = $2 and removed_at is null order by id limit 1`),
  team: statement<{ id: string }>(`
    select id from teams where workspace_id = $1 and name = $2 and removed_at is null order by id limit 1`),
} satisfies Partial<Record<IdKind, unknown>>;

/** The filter with ids in the place of names. */
async function readNames(
  { tx, workspace_id }: Applying,
  { assignee, stage, team, ...plain }: FileView['filter'],
  pointer: string,
): Promise<ViewFilter> {
  const idOf = async (kind: keyof typeof selectIds, name: string, member: string) => {
    const [row] = await selectIds[kind](tx, [workspace_id, name]);
    if (!row) throw invalid({ detail: `names no ${kind}`, pointer: `${pointer}/${member}` });
    return publicId(kind, row.id);
  };
  const isSomebody = assignee !== undefined && assignee !== 'me' && assignee !== 'none';
  return {
    ...plain,
    ...(assignee !== undefined && {
      assignee_id: isSomebody ? await idOf('user', assignee, 'assignee') : assignee,
    }),
    ...(stage !== undefined && { stage_id: await idOf('stage', stage, 'stage') }),
    ...(team !== undefined && { team_id: await idOf('team', team, 'team') }),
  };
}
