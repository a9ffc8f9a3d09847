import type { BroadcastState } from '@majlis/console-api';
import { CalendarClock, CircleCheck, CirclePause, CircleX, Megaphone, Plus, Send } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useWorkspace } from '../live/directory.ts';
import type { Membership } from '../live/membership.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { List, Row, Soft } from '../parts/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { numberText } from '../words/amounts.ts';
import { t } from '../words/words.ts';
import { broadcastsPage, useBroadcastStates } from './broadcast-data.ts';
import { BroadcastPage } from './broadcast-page.tsx';
import { type ShownStatus, shownStatus, statusKinds, statusText } from './broadcast-words.ts';
import styles from './broadcasts.module.css';
import { NewBroadcast } from './new-broadcast.tsx';
import { Progress } from './progress.tsx';
import { timeIn } from './time-in.ts';

interface Props {
  membership: Membership;
  /** A broadcast, or `new` for the making of one. */
  object?: string | undefined;
}

/** The broadcasts of a workspace, one of them, or the making of a new one. */
export function BroadcastsPage({ membership, object: broadcast_id }: Props) {
  const { workspace_id } = membership;
  if (broadcast_id === 'new') return <NewBroadcast workspace_id={workspace_id} />;
  if (broadcast_id) return <BroadcastPage key={broadcast_id} workspace_id={workspace_id} id={broadcast_id} />;
  return <Broadcasts workspace_id={workspace_id} />;
}

function Broadcasts({ workspace_id }: { workspace_id: string }) {
  const states = useBroadcastStates(workspace_id);
  const [, navigate] = useLocation();
  const timeZone = useWorkspace(workspace_id)?.timezone ?? 'UTC';
  const create = (
    <Button look="primary" onPress={() => navigate(`${broadcastsPage(workspace_id)}/new`)}>
      <Plus size={18} aria-hidden />
      {t('broadcasts.new')}
    </Button>
  );
  return (
    <Page title={t('broadcasts.title')} hint={t('broadcasts.hint')} action={create}>
      <Loaded query={states}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          if (all.length === 0) {
            return (
              <Empty icon={<Megaphone aria-hidden />} title={t('broadcasts.empty')} hint={t('broadcasts.empty_hint')} />
            );
          }
          return (
            <>
              <List>
                {all.map((state) => (
                  <BroadcastRow
                    key={state.broadcast.id}
                    workspace_id={workspace_id}
                    timeZone={timeZone}
                    state={state}
                  />
                ))}
              </List>
              {states.hasNextPage && (
                <div className={styles.actions}>
                  <Button isPending={states.isFetchingNextPage} onPress={() => void states.fetchNextPage()}>
                    {t('broadcasts.more')}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const icons: Record<ShownStatus, typeof Send> = {
  scheduled: CalendarClock,
  sending: Send,
  paused: CirclePause,
  sent: CircleCheck,
  cancelled: CircleX,
};

interface RowProps {
  workspace_id: string;
  timeZone: string;
  state: BroadcastState;
}

function BroadcastRow({ workspace_id, timeZone, state }: RowProps) {
  const { id, name, counts, send_at, template } = state.broadcast;
  const status = shownStatus(state);
  const Icon = icons[status] ?? Send;
  return (
    <Row
      start={
        <Icon
          size={18}
          className={styles.icon}
          data-status={status}
          data-directional={status === 'sending' || undefined}
          aria-hidden
        />
      }
      title={
        <Link href={`${broadcastsPage(workspace_id)}/${id}`}>
          <bdi>{name}</bdi>
        </Link>
      }
      end={<Badge kind={statusKinds[status]}>{statusText(status)}</Badge>}
    >
      <Soft>
        <bdi dir="ltr">{template.name}</bdi>
        {send_at && ` · ${timeIn(send_at, timeZone)}`}
      </Soft>
      <div className={styles.rowProgress}>
        <Progress state={state} />
        <Soft>
          {counts.total === 0 && status === 'scheduled'
            ? t('broadcasts.row_unstarted')
            : t('broadcasts.row_counts', {
                total: numberText(counts.total),
                sent: numberText(counts.sent),
                read: numberText(counts.read),
              })}
          {counts.failed > 0 && (
            <>
              {' · '}
              <span className={styles.failed}>{t('broadcasts.row_failed', { count: counts.failed })}</span>
            </>
          )}
        </Soft>
      </div>
    </Row>
  );
}
