import type { EndpointAttempt } from '@majlis/console-api';
import type { WebhookEndpoint } from '@majlis/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, RefreshCw, Send } from 'lucide-react';
import { useState } from 'react';
import { request } from '../../live/request.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { List, Row, Soft } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { fullTime, t } from '../../words/words.ts';
import styles from './attempts.module.css';
import { endpointPath } from './endpoint-address.ts';
import { EventDialog } from './event-dialog.tsx';

interface AttemptPage {
  data: EndpointAttempt[];
  next_cursor?: string;
}

/** The attempts of the last 30 days, latest first. */
export function Attempts({ workspace_id, endpoint }: { workspace_id: string; endpoint: WebhookEndpoint }) {
  const path = endpointPath(workspace_id, endpoint.id);
  const [shown, setShown] = useState<EndpointAttempt>();
  const attempts = useInfiniteQuery({
    queryKey: [path, 'attempts'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      request<AttemptPage>(
        'GET',
        `${path}/attempts${pageParam ? `?${new URLSearchParams({ cursor: pageParam })}` : ''}`,
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
  return (
    <>
      <div>
        <Button onPress={() => attempts.refetch()} isPending={attempts.isRefetching}>
          <RefreshCw size={16} aria-hidden />
          {t('webhooks.refresh')}
        </Button>
      </div>
      <Loaded query={attempts}>
        {(data) =>
          data.length === 0 ? (
            <Empty
              icon={<Send aria-hidden />}
              title={t('webhooks.no_attempts')}
              hint={t('webhooks.no_attempts_hint')}
            />
          ) : (
            <List>
              {data.map((attempt) => (
                <AttemptRow key={attempt.id} attempt={attempt} onShow={() => setShown(attempt)} />
              ))}
            </List>
          )
        }
      </Loaded>
      {attempts.hasNextPage && (
        <div>
          <Button onPress={() => attempts.fetchNextPage()} isPending={attempts.isFetchingNextPage}>
            {t('webhooks.more')}
          </Button>
        </div>
      )}
      {shown && (
        <EventDialog
          workspace_id={workspace_id}
          endpoint={endpoint}
          attempt={shown}
          onClose={() => setShown(undefined)}
          onReplayed={attempts.refetch}
        />
      )}
    </>
  );
}

function AttemptRow({ attempt, onShow }: { attempt: EndpointAttempt; onShow: () => void }) {
  const { event_type, event_id, response_status, duration_ms, delivered_at, at, reason } = attempt;
  const Icon = delivered_at ? CircleCheck : CircleAlert;
  return (
    <Row
      start={<Icon size={18} className={styles.icon} data-delivered={Boolean(delivered_at)} aria-hidden />}
      title={<bdi dir="ltr">{event_type}</bdi>}
      end={
        <Button look="quiet" aria-label={t('webhooks.show_event', { id: event_id })} onPress={onShow}>
          {t('webhooks.show')}
        </Button>
      }
    >
      <Soft>
        {t(delivered_at ? 'webhooks.delivered' : attempt.attempt === 0 ? 'webhooks.not_attempted' : 'webhooks.failed')}
        {response_status !== undefined && (
          <>
            {' · '}
            <bdi dir="ltr">HTTP {response_status}</bdi>
          </>
        )}
        {duration_ms !== undefined && ` · ${t('webhooks.duration', { ms: duration_ms })}`}
        {attempt.attempt > 1 && ` · ${t('webhooks.attempt', { number: attempt.attempt })}`}
        {' · '}
        {fullTime(at)}
      </Soft>
      {reason && (
        <Soft>
          <bdi dir="ltr">{reason}</bdi>
        </Soft>
      )}
    </Row>
  );
}
