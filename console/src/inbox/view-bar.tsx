import { mostCounted } from '@majlis/console-api/bounds';
import { ChevronDown, ListFilter, Plus, SquareCheck } from 'lucide-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Command, useCommands } from '../app/commands.ts';
import { lazyPart } from '../app/lazy-page.tsx';
import type { Membership } from '../live/membership.ts';
import { Menu } from '../parts/menu.tsx';
import { insteadOfClosable, insteadOfPiece } from '../parts/missing-part.ts';
import { t } from '../words/words.ts';
import { ApprovalsLink } from './approvals-link.tsx';
import { beginSelecting } from './bulk/selection.ts';
import styles from './inbox-page.module.css';
import { filterOfView, type NamedView, useNamedViews, useViewCounts, type View, viewPath } from './views.ts';

const FilterChips = lazyPart(async () => (await import('./saved/filter-chips.tsx')).FilterChips, insteadOfPiece);
const FilterDialog = lazyPart(async () => (await import('./saved/filter-dialog.tsx')).FilterDialog, insteadOfClosable);
const ViewsDialog = lazyPart(async () => (await import('./saved/views-dialog.tsx')).ViewsDialog, insteadOfClosable);

interface Props {
  membership: Membership;
  view: View;
  /** Between the title and the views. */
  children: ReactNode;
}

/** The head of the list. Its views: the main ones in sight, the others in a menu. */
export function ViewBar({ membership, view, children }: Props) {
  const { workspace_id } = membership;
  const [opened, open] = useState<'list' | 'new' | 'filter'>();
  const [, navigate] = useLocation();
  const { main, teams, others, saved } = useNamedViews(workspace_id);
  const proposals = useViewCounts(workspace_id)?.proposals;
  const more = [...others, ...teams, ...saved];
  const current = more.find((one) => one.view === view);
  useViewCommands(workspace_id, [...main, ...more]);
  const isFiltered = filterOfView(view) !== undefined;
  return (
    <>
      <div className={styles.title}>
        <h1 id="inbox-title">{t('inbox.title')}</h1>
        <ApprovalsLink workspace_id={workspace_id} counted={proposals} />
        <button
          type="button"
          className={styles.filter}
          aria-label={t('views.filter')}
          title={t('views.filter')}
          aria-haspopup="dialog"
          data-on={isFiltered || undefined}
          onClick={() => open('filter')}
        >
          <ListFilter size={18} aria-hidden />
        </button>
      </div>
      {children}
      <nav className={styles.views} aria-label={t('inbox.views')}>
        {main.map((one) => (
          <Link
            key={one.view}
            href={viewPath(workspace_id, one.view)}
            className={styles.view!}
            aria-current={one.view === view ? 'page' : undefined}
          >
            {one.name}
            {one.count !== undefined && <span className={styles.count}>{describeCount(one.count)}</span>}
          </Link>
        ))}
        <div className={styles.more} data-current={current ? '' : undefined}>
          <Menu
            label={current ? `${current.name}, ${t('inbox.view_more')}` : t('inbox.view_more')}
            entries={[
              ...more.map((one) => ({
                id: one.view,
                label: one.name,
                isCurrent: one.view === view,
                ...(one.count !== undefined && { detail: describeCount(one.count) }),
              })),
              { id: 'new', label: t('views.new'), icon: <Plus size={16} aria-hidden /> },
              ...(saved.length > 0
                ? [{ id: 'list' as const, label: t('views.manage'), icon: <ListFilter size={16} aria-hidden /> }]
                : []),
              { id: 'select', label: t('bulk.begin'), icon: <SquareCheck size={16} aria-hidden /> },
            ]}
            onAction={(id) => {
              if (id === 'new' || id === 'list') open(id);
              else if (id === 'select') beginSelecting();
              else navigate(viewPath(workspace_id, id as View));
            }}
          >
            <bdi className={styles.moreName}>{current?.name ?? t('inbox.view_more')}</bdi>
            <ChevronDown size={14} aria-hidden />
          </Menu>
        </div>
        <Suspense>
          {(opened === 'new' || opened === 'list') && (
            <ViewsDialog membership={membership} current={view} opened={opened} onClose={() => open(undefined)} />
          )}
          {opened === 'filter' && (
            <FilterDialog membership={membership} current={view} onClose={() => open(undefined)} />
          )}
        </Suspense>
      </nav>
      <Suspense>
        {isFiltered && <FilterChips membership={membership} view={view} onSave={() => open('new')} />}
      </Suspense>
    </>
  );
}

function describeCount(count: number): string {
  return count >= mostCounted ? `${mostCounted}+` : String(count);
}

// The keys after G.
const keys: Record<string, string> = {
  mine: 'KeyM',
  unassigned: 'KeyU',
  all: 'KeyA',
  mentions: 'KeyN',
  snoozed: 'KeyS',
  closed: 'KeyC',
};

function useViewCommands(workspace_id: string, views: readonly NamedView[]): void {
  const [, navigate] = useLocation();
  const names = views.map(({ view, name }) => `${view}\n${name}`).join('\n\n');
  const commands = useMemo(
    () =>
      names.split('\n\n').map((line): Command => {
        const [view, name] = line.split('\n') as [View, string];
        const code = keys[view];
        return {
          id: `go.view.${view}`,
          label: t('palette.go', { place: name }),
          ...(code && { shortcut: { code, after: 'KeyG' } }),
          run: () => navigate(viewPath(workspace_id, view)),
        };
      }),
    [names, navigate, workspace_id],
  );
  useCommands(commands);
}
