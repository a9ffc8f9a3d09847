import type { ViewFilter } from '@majlis/console-api';
import { parseId } from '../../database/ids.ts';
import { invalid, Refusal } from '../../http/reply/refusal.ts';

const named = ['mine', 'unassigned', 'all', 'mentions', 'snoozed', 'closed'] as const;
type NamedView = (typeof named)[number];

/** A view of the inbox. `id`: the team, or the saved view. `filter`: what the address of the page asks for. */
export type InboxView =
  | { [Name in NamedView]: { name: Name } }[NamedView]
  | { name: 'team'; id: string }
  | { name: 'saved'; id: string }
  | { name: 'filter'; filter: ViewFilter };

/** A view by its name, or by filters. 404 for an id that cannot name a team or a saved view. */
export function readView({ view, ...filter }: ViewFilter & { view?: string }): InboxView {
  if (Object.keys(filter).length === 0) return readNamed(view ?? 'all');
  if (view !== undefined) throw invalid({ detail: 'has a filter beside it: give a view or filters', pointer: '/view' });
  return { name: 'filter', filter };
}

function readNamed(text: string): InboxView {
  const name = named.find((one) => one === text);
  if (name) return { name } as InboxView;
  const [kind, id = ''] = text.split(':', 2);
  if (kind !== 'team' && kind !== 'saved') throw invalid({ detail: 'names no view', pointer: '/view' });
  const uuid = parseId(kind === 'team' ? 'team' : 'saved_view', id);
  if (!uuid) throw new Refusal('not_found');
  return { name: kind, id: uuid } as InboxView;
}
