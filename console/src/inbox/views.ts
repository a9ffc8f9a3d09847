import type { SavedView, ViewCounts, ViewFilter } from '@majlis/console-api';
import type { Team } from '@majlis/contract';
import { useSearch } from 'wouter';
import { listenToChanges } from '../live/changes.ts';
import { createFollowed, type Followed, useFollowed } from '../live/followed.ts';
import { useFollowedAnswer } from '../live/followed-answer.ts';
import { Failure, request } from '../live/request.ts';
import { t } from '../words/words.ts';

export const fixedViews = ['mine', 'unassigned', 'all', 'mentions', 'snoozed', 'closed'] as const;
export type FixedView = (typeof fixedViews)[number];
/** A part of the conversations, as the address and the service name it. */
export type View = FixedView | `team:${string}` | `saved:${string}` | FilterView;
/** Filters that belong to no saved view, as the query of an address. */
type FilterView = `filter:${string}`;

export const filterNames = [
  'status',
  'assignee_id',
  'channel_type',
  'stage_id',
  'team_id',
  'tag',
  'contact_id',
  'q',
] as const satisfies readonly (keyof ViewFilter)[];

/** Shows what meets all filters; without any, everything that is open. */
export function viewOfFilter(filter: ViewFilter): View {
  const given = filterNames.flatMap((name) => (filter[name] ? [[name, filter[name]]] : []));
  return given.length === 0 ? 'all' : `filter:${new URLSearchParams(given)}`;
}

/** The filters of a view that the address has. Undefined of all other views. */
export function filterOfView(view: View): ViewFilter | undefined {
  if (!view.startsWith('filter:')) return undefined;
  return Object.fromEntries(new URLSearchParams(view.slice('filter:'.length))) as ViewFilter;
}

/** The parameters by which the service knows the view. */
export function queryOfView(view: View): Record<string, string> {
  return (filterOfView(view) as Record<string, string> | undefined) ?? { view };
}

/** The view that the address names. */
export function useView(): View {
  const query = new URLSearchParams(useSearch());
  const named = query.get('view');
  return named && isView(named) ? named : viewOfFilter(Object.fromEntries(query) as ViewFilter);
}

function isView(name: string): name is View {
  return (fixedViews as readonly string[]).includes(name) || /^(team|saved):.+/.test(name);
}

export function viewPath(workspace_id: string, view: View, conversation_id?: string): string {
  const end = conversation_id ? `/${conversation_id}` : '';
  const query = view === 'all' ? '' : `?${new URLSearchParams(queryOfView(view))}`;
  return `/w/${workspace_id}/inbox${end}${query}`;
}

const counts = new Map<string, Followed<ViewCounts>>();
// Counts are dearer than a list, and nobody reads them as they run.
const betweenCountsMs = 4_000;

listenToChanges({
  onChange({ kind, workspace_id }) {
    if (countedKinds.has(kind)) counts.get(workspace_id)?.invalidate();
  },
  onGap() {
    for (const followed of counts.values()) followed.invalidate();
  },
  onForget: () => counts.clear(),
});
const countedKinds = new Set(['conversation', 'assignment', 'message', 'note', 'mention', 'removed', 'saved_view']);

export function useViewCounts(workspace_id: string): ViewCounts | undefined {
  let followed = counts.get(workspace_id);
  if (!followed) {
    const path = `/workspaces/${workspace_id}/view-counts`;
    followed = createFollowed(() => request<ViewCounts>('GET', path), { betweenReadsMs: betweenCountsMs });
    counts.set(workspace_id, followed);
  }
  return useFollowed(followed).data;
}

function useNamed<Named>(path: string): readonly Named[] {
  return useFollowedAnswer<{ data: Named[] }>(path)?.data ?? [];
}

export function useSavedViews(workspace_id: string): readonly SavedView[] {
  return useNamed<SavedView>(`/workspaces/${workspace_id}/views`);
}

/** Whether the view was removed, or the team that it is of. `error` is that of its list. */
export function useIsGone(workspace_id: string, view: View, error: unknown): boolean {
  const teams = useFollowedAnswer<{ data: Team[] }>(`/workspaces/${workspace_id}/teams`)?.data;
  const isTeamGone = teams && view.startsWith('team:') && !teams.some(({ id }) => view === `team:${id}`);
  return isTeamGone || (error instanceof Failure && error.code === 'not_found');
}

export interface NamedView {
  view: View;
  name: string;
  count: number | undefined;
}

/** The views of the person by groups, each with its name and its count. */
export function useNamedViews(workspace_id: string): Record<'main' | 'teams' | 'others' | 'saved', NamedView[]> {
  const counted = useViewCounts(workspace_id);
  const teams = useNamed<Team>(`/workspaces/${workspace_id}/teams`);
  const saved = useSavedViews(workspace_id);
  const fixed = (view: FixedView) => ({ view, name: t(`inbox.view_${view}`), count: counted?.[view] });
  return {
    main: [fixed('mine'), fixed('unassigned'), fixed('all')],
    teams: teams.map(({ id, name }) => ({
      view: `team:${id}`,
      name,
      count: counted?.teams.find(({ team_id }) => team_id === id)?.count,
    })),
    others: [fixed('mentions'), fixed('snoozed'), fixed('closed')],
    saved: saved.map(({ id, name }) => ({
      view: `saved:${id}`,
      name,
      count: counted?.saved.find(({ view_id }) => view_id === id)?.count,
    })),
  };
}
