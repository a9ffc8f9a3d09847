import type { TimelineStep } from '@majlis/console-api';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../live/request.ts';
import { Dialog, DialogClose } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { fullTime, t } from '../../words/words.ts';
import { nameOfActor } from './people.ts';
import styles from './timeline-dialog.module.css';

interface Props {
  workspace_id: string;
  message_id: string;
  onClose: () => void;
}

/** What happened to a message, from its acceptance to the last word of the platform, and which events went out. */
export function Timeline({ workspace_id, message_id, onClose }: Props) {
  const path = `/workspaces/${workspace_id}/messages/${message_id}/timeline`;
  const query = useQuery({ queryKey: [path], queryFn: () => request<{ data: TimelineStep[] }>('GET', path) });
  return (
    <Dialog title={t('timeline.title')} onClose={onClose}>
      <Loaded query={query}>
        {({ data }) => (
          <ol className={styles.steps}>
            {data.map((step, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step stays where it happened.
              <Step key={place} step={step} />
            ))}
          </ol>
        )}
      </Loaded>
      <DialogClose onClose={onClose} />
    </Dialog>
  );
}

function Step({
  step: { step, at, actor_kind, actor_name, tries, until, code, detail, deliveries },
}: {
  step: TimelineStep;
}) {
  const actor = actor_kind && nameOfActor({ actor_kind, actor_name }, t('thread.customer'));
  return (
    <li data-step={step} data-now={at === undefined || undefined}>
      <strong>{t(`timeline.${step}`)}</strong>
      <time dateTime={at}>{at === undefined ? t('timeline.now') : fullTime(at)}</time>
      {actor && (
        <p className={styles.detail}>
          {t('timeline.by')} <bdi>{actor}</bdi>
        </p>
      )}
      {tries !== undefined && <p className={styles.detail}>{t('timeline.tries', { count: tries })}</p>}
      {until !== undefined && <p className={styles.detail}>{t('timeline.until', { time: fullTime(until) })}</p>}
      {(detail || code) && (
        <p className={styles.detail}>
          {code && !detail?.startsWith(code) && <code dir="ltr">{code}</code>} <bdi dir="auto">{detail}</bdi>
        </p>
      )}
      {deliveries?.length === 0 && <p className={styles.detail}>{t('timeline.no_endpoint')}</p>}
      {deliveries?.map(({ url, attempt, outcome, response_status, reason, at: time }) => (
        <p key={`${url} ${attempt}`} className={styles.detail} data-outcome={outcome}>
          {t(
            `timeline.${outcome === 'waiting' ? 'delivery_waiting' : outcome === 'failed' ? 'delivery_failed' : 'delivery_done'}`,
            {
              attempt,
              time: time === undefined ? '' : fullTime(time),
            },
          )}{' '}
          <bdi dir="ltr">{url}</bdi> {response_status !== undefined && <bdi dir="ltr">{response_status}</bdi>}{' '}
          {reason && <bdi dir="auto">{reason}</bdi>}
        </p>
      ))}
    </li>
  );
}
