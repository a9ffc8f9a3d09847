import type { SavedView, ViewFilter } from '@majlis/console-api';
import { mayAct } from '@majlis/console-api/roles';
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { attempt } from '../../app/attempt.ts';
import { answersChanged } from '../../live/followed-answer.ts';
import type { Membership } from '../../live/membership.ts';
import { request } from '../../live/request.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { isolated } from '../../words/isolated.ts';
import { t } from '../../words/words.ts';
import { filterOfView, useSavedViews, type View, viewPath } from '../views.ts';
import { ViewForm } from './view-form.tsx';
import styles from './views-dialog.module.css';

interface Props {
  membership: Membership;
  /** The view that is shown: a new one begins with its filter. */
  current: View;
  opened: 'list' | 'new';
  onClose: () => void;
}

/** Makes, renames, orders and deletes saved views. */
export function ViewsDialog({ membership, current, opened, onClose }: Props) {
  const { workspace_id, role } = membership;
  const [, navigate] = useLocation();
  const [edited, edit] = useState<SavedView | 'new' | undefined>(opened === 'new' ? 'new' : undefined);
  const path = `/workspaces/${workspace_id}/views`;
  const views = useSavedViews(workspace_id);
  const readAgain = () => answersChanged(workspace_id, 'views');

  function saved(view: SavedView) {
    readAgain();
    if (edited !== 'new') return edit(undefined);
    onClose();
    navigate(viewPath(workspace_id, `saved:${view.id}`));
  }
  const act = (method: string, { id }: SavedView, body?: object) =>
    void attempt(async () => {
      await request(method, `${path}/${id}`, body);
      if (method === 'DELETE' && current === `saved:${id}`) navigate(viewPath(workspace_id, 'all'));
      readAgain();
    });

  if (edited) {
    const filter = edited === 'new' ? filterOf(current, views) : edited.filter;
    return (
      <Dialog title={t(edited === 'new' ? 'views.new_title' : 'views.change')} onClose={onClose}>
        <ViewForm
          membership={membership}
          view={edited === 'new' ? undefined : edited}
          filter={filter}
          onSaved={saved}
          onCancel={() => (opened === 'new' ? onClose() : edit(undefined))}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title={t('views.title')} onClose={onClose}>
      {views.length === 0 && <p>{t('views.none')}</p>}
      <ul className={styles.views}>
        {views.map((view) => {
          const group = views.filter(({ shared }) => shared === view.shared);
          const place = group.indexOf(view);
          const mayChange = !view.shared || mayAct(role, 'supervisor');
          const name = isolated(view.name);
          return (
            <li key={view.id}>
              <bdi className={styles.name}>{view.name}</bdi>
              {view.shared && <Badge>{t('views.shared')}</Badge>}
              {mayChange && (
                <div className={styles.actions}>
                  <Button
                    look="quiet"
                    aria-label={t('views.up', { name })}
                    isDisabled={place === 0}
                    onPress={() => act('PATCH', view, { position: place - 1 })}
                  >
                    <ArrowUp size={16} aria-hidden />
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={t('views.down', { name })}
                    isDisabled={place === group.length - 1}
                    onPress={() => act('PATCH', view, { position: place + 1 })}
                  >
                    <ArrowDown size={16} aria-hidden />
                  </Button>
                  <Button look="quiet" aria-label={t('views.change_one', { name })} onPress={() => edit(view)}>
                    <Pencil size={16} aria-hidden />
                  </Button>
                  <Button look="quiet" aria-label={t('views.delete', { name })} onPress={() => act('DELETE', view)}>
                    <Trash2 size={16} aria-hidden />
                  </Button>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <div>
        <Button look="primary" onPress={() => edit('new')}>
          <Plus size={16} aria-hidden />
          {t('views.new_title')}
        </Button>
      </div>
    </Dialog>
  );
}

/** What the shown view filters by, as the beginning of a new one. */
function filterOf(view: View, saved: readonly SavedView[]): ViewFilter {
  const filter = filterOfView(view);
  if (filter) return filter;
  if (view.startsWith('team:')) return { status: 'open', team_id: view.slice('team:'.length) };
  if (view.startsWith('saved:')) return saved.find(({ id }) => view === `saved:${id}`)?.filter ?? {};
  if (view === 'mine') return { status: 'open', assignee_id: 'me' };
  if (view === 'unassigned') return { status: 'open', assignee_id: 'none' };
  return { status: view === 'closed' ? 'closed' : 'open' };
}
